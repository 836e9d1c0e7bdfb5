/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view: a query turns the profile into a tree; every front shows trees. All arithmetic lives here.
 *
 *	query  ──►  base (structure + self and total values; depends on view, step, account)
 *	            └─►  tree (what of the base is shown, below what; depends on the other filters)
 *
 * A base and a tree are immutable once made and may be read by any thread; they are shared by counting
 * references. The engine (caches included) belongs to one thread at a time.
 */
#ifndef TFPROF_VIEW_H
#define TFPROF_VIEW_H

#include "tfprof/query.h"

/* ---- views (registry) ---------------------------------------------------------------------- */

struct tfp_engine;
struct tfp_base;
struct tfp_view_rules;
struct tfp_build;
struct tfp_idle;
struct tfp_track;
struct tfp_launch;
struct tfp_strips;
struct tfp_lens;

struct tfp_view {
	const char *name;    /* "scope"; also the command */
	const char *title;   /* on the tab */
	const char *about;   /* what it shows, without a final stop */
	const char *example; /* a command of the shell; NULL: it is none there */
	char digit;          /* key that opens it */
	/* NULL if the profile can show it, else one sentence: what is missing and how to make it. */
	const char *(*missing)(const struct tfp_profile *profile);
	unsigned parts; /* enum tfp_part: columns of the profile that build always reads */
	/* Builds structure and values; NULL with an error, or without one when cancelled. See base.h in src/view. */
	struct tfp_base *(*build)(struct tfp_build *build);
	const struct tfp_view_rules *rules; /* how its rows are filtered; see base.h in src/view */
	uint8_t pane; /* enum tfp_breakdown_kind: what the pane below it opens with */
	bool of_steps; /* rows are steps, whichever is chosen: by their lengths, and each compared with the others */
	bool deepens; /* --deep puts more below its rows */
	bool shallow; /* opens with its top rows closed, the cursor on the heaviest of them */
	/* key of the metric that it is about, whatever the lens; NULL: it is about the lens's */
	const char *leads;
	bool text;    /* rows are sentences, without figures; no filter and no order is for them */
	bool listing; /* rows are profiles to be opened: always flat, nothing to break down */
	bool of_all; /* of a part of the files it would say what is not so: where nothing was read is a gap */
};
extern const struct tfp_view *const tfp_views[]; /* NULL-ended, in the order of digits */
const struct tfp_view *tfp_view_find(const char *name);
/* Why VIEW compares nothing, whatever the baseline; NULL: it does. */
const char *tfp_baseline_refused(const struct tfp_view *view);
struct tfp_tree;
/*
 * "(4 steps, here 5)", in ARENA: what TREE compares the sum of a recording, or of a rank, with is the sum of fewer steps, or
 * more. NULL: of as many, or it compares no such sums.
 */
char *tfp_baseline_steps_text(const struct tfp_tree *tree, const struct tfp_profile *profile,
			      struct tfp_arena *arena);
/* Why VIEW can't show PROFILE, and what can; NULL: it can. */
const char *tfp_view_missing(const struct tfp_view *view, const struct tfp_profile *profile);
/* Where VIEW stands in tfp_views. */
size_t tfp_view_index(const struct tfp_view *view);
/* The view a file opens with. */
const struct tfp_view *tfp_view_default(const struct tfp_profile *profile);

/* ---- base: structure and values ------------------------------------------------------------ */

enum tfp_row_flag {
	TFP_ROW_ACCOUNTED = 1, /* its self values count; otherwise reports print "--" */
	TFP_ROW_KEPT = 2,      /* part of the accounted structure */
	TFP_ROW_NODE = 4,      /* stands for exactly one node of the profile */
	TFP_ROW_LEAF = 8,      /* has values of its own: what a flat list shows */
	TFP_ROW_FOLD = 16,     /* siblings as one row: they are below it */
	TFP_ROW_LINK = 32,  /* graph: no values; stands for the row that its node has elsewhere */
	TFP_ROW_LOOP = 64,  /* and that row is one of those above it */
	TFP_ROW_PART = 128, /* scope: inside of the op above, without values */
};

/* What is not known of a figure of a printed report. */
enum tfp_precision {
	TFP_SELF_ROUNDED = 1, /* the digits that its short text leaves out */
	TFP_TOTAL_ROUNDED = 2,
	TFP_UNKNOWN = 4, /* all of it: the row has no such figures */
};

/* Live bytes over time: bytes[i] from time[i] on. Times are us from the beginning of the step. */
struct tfp_curve {
	int64_t step;   /* number of the step that it is of */
	int64_t begin;  /* when that began, by the clock of the files */
	int64_t from;   /* where the curve begins: in a range of time later than the step */
	int64_t length; /* to the last allocation or release */
	int64_t marked; /* how long the step is by its marker, in UNIT; -1: that is LENGTH */
	enum tfp_unit unit;
	int64_t at, live;      /* the time that the rows are of, and what is live then */
	int64_t peak_at, peak; /* when most is live */
	uint32_t file;         /* of a recording: the one that it is of; TFP_NONE: any */
	const char *device;    /* whose allocator it is of; NULL: there is only one */
	const char *others;    /* what else there is, and is not shown; NULL: nothing */
	struct tfp_words
		allocators; /* that it could be of, by what they held at most in any step */
	int64_t allocator;  /* the most by the allocator's own account; 0: not in the files */
	int64_t own_peaks;  /* each op's own peak, added up; -1: not in the files */
	bool recorded;      /* of a recording: ALLOCATOR is what its allocators had reserved */
	bool held_unknown;  /* without what was held before, which nobody knows */
	bool stepless;      /* of a recording in which nothing marks steps */
	bool beyond;        /* nothing of the step is in the range of time: nothing is held */
	uint32_t count;
	int64_t *time, *bytes;
	int64_t *held; /* by node: what it holds at AT */
};

/* The most that is live in each of COUNT equal parts of the time. */
void tfp_curve_parts(const struct tfp_curve *curve, int64_t *out, size_t count);
/* Was what is held since SINCE, a time on CURVE, held when that began? */
bool tfp_curve_before(const struct tfp_curve *curve, int64_t since);
/* The part that the rows' time is in. */
size_t tfp_curve_cursor(const struct tfp_curve *curve, size_t count);
/* The time that is PARTS such parts later than the rows' time, or earlier where negative. */
int64_t tfp_curve_turn(const struct tfp_curve *curve, size_t count, int parts);
/* Is anything known of what was held? Not so before the first record, nor where nothing of the step is in the range. */
bool tfp_curve_knows(const struct tfp_curve *curve);
/* "320.10MB live, step 0 at 379.57ms of 1.14s, the peak"; BRIEF without the length, 2 the time. In ARENA. */
char *tfp_curve_when(const struct tfp_curve *curve, int brief, struct tfp_arena *arena);
/* One line: the peak where this is another time, and what else is called a peak. In ARENA. */
char *tfp_curve_text(const struct tfp_curve *curve, struct tfp_arena *arena);

/* One rank of several: the file that is of it, and its number. */
struct tfp_rank_of {
	uint32_t file;
	int64_t number;
};

/* A row of another view: what a finding is about. */
struct tfp_target {
	const char *view; /* NULL: none */
	uint64_t key;
};

/* Two ranks that a finding compares: RANK, negative where it compares none, with OTHER, negative: the median of the others. */
struct tfp_contrast {
	int64_t rank, other;
};

/* Which of the two that are compared has a row. */
enum tfp_side {
	TFP_SIDE_NONE, /* nothing is compared */
	TFP_SIDE_BOTH,
	TFP_SIDE_HERE,  /* the baseline has no such row, or nothing ran there */
	TFP_SIDE_THERE, /* only the baseline has it */
};

/*
 * Of what a recording is measured by, the time on devices or that of hosts: how much belongs to nodes of which
 * something is known. All of it 0: nothing is measured so. UNSCOPED: hosts' time of what is in no scope.
 */
struct tfp_coverage {
	double whole, op, shape, stack, flops;
	double unscoped;
};

/*
 * Rows are numbered in natural preorder: a parent before its children, siblings in the view's natural
 * order (scope: name; graph: first consumer's input order; code: creation; op: name). Row 0 is the root. The
 * subtree of row r is the range r .. end[r] - 1.
 */
struct tfp_base {
	_Atomic uint32_t references;
	struct tfp_arena arena;
	const struct tfp_view *view;
	const struct tfp_strings *strings; /* the profile's: outlives the base */
	/*
	 * Metrics that rows have values of, and all: in the steps view those of single events, which are the last, are
	 * held only where they are asked for, as it has many rows
	 */
	uint32_t metric_count, metric_all;
	const struct tfp_metric *metrics; /* the profile's */
	bool tensorflow;                  /* metrics are those of enum tfp_tf_metric */
	bool traced;                      /* metrics begin with those of enum tfp_trace_metric */
	/* of a trace: what each of its devices can do in a second; 0: not known, or they differ */
	double peak_flops, peak_bandwidth;
	struct tfp_coverage coverage; /* of the whole trace, in the step that is counted */
	uint32_t count;
	uint32_t *parent; /* TFP_NONE for the root */
	uint32_t *end;
	/* the label (scope path, code label, op type, shapes text) is the first name_size[r] bytes of
	 * the string name[r], all of it where name_size is NULL: read it by tfp_base_label */
	tfp_str *name;
	uint32_t *name_size;
	uint32_t *node; /* TFP_ROW_NODE, TFP_ROW_LINK: the node; else TFP_NONE */
	uint64_t *key;  /* identity across queries and views: equal key, equal thing */
	/*
	 * where rows are devices and lanes: keys without what tells ranks and files apart, first with the numbers that
	 * are in names, then without. Else NULL
	 */
	uint64_t *alike[2];
	uint8_t *flags;
	int64_t *self; /* self[row * metric_count + metric] */
	int64_t *total;
	int64_t *defined; /* scope, graph: rows aggregated; code, op: picked nodes */
	/* code and op rows: the picked nodes are picks[pick_first[r] .. pick_first[r + 1]); else NULL */
	uint32_t *pick_first, *picks;
	/* code rows: a stack with this row's frame, TFP_NONE elsewhere; else NULL */
	uint32_t *stack;
	/*
	 * steps: by row the step that it belongs to (TFP_NONE for the root) and the key that the
	 * same thing has in the scope view; else NULL
	 */
	uint32_t *step;
	uint64_t *thing;
	/* steps of a recording: by row the time that devices had in the step, all of them together; 0 elsewhere. Else NULL */
	double *step_room;
	double *step_aside; /* by row: what devices that stand aside have of its busy time; NULL: none does */
	/* steps of several ranks: by row which of RANKS it is of, TFP_NONE all of them; else NULL */
	uint32_t *rank;
	const struct tfp_rank_of *ranks;
	/*
	 * memory: by row since when it, or what is below, holds some of what it has without a break, in us of its curve and 1;
	 * 0: it holds nothing. Else NULL
	 */
	int64_t *since;
	/* idle: by row which of the gaps it is, TFP_NONE elsewhere; see idle.h in src/view. Else NULL */
	uint32_t *gap;
	struct tfp_idle *idle;
	struct tfp_track
		*track; /* device: by row what it stands for, see track.h in src/view; else NULL */
	struct tfp_launch *launch; /* and how its kernels were launched, see launch.h there */
	/* time: by row which strip it is, TFP_NONE elsewhere; see tfprof/strips.h. Else NULL */
	uint32_t *strip;
	const struct tfp_strips *strips;
	struct tfp_curve *curve;       /* memory: live bytes over time; else NULL */
	struct tfp_target *target;     /* summary: by row, where it leads to; else NULL */
	struct tfp_contrast *contrast; /* and what is compared there; NULL: nothing */
	/*
	 * what the query's baseline has in place of self and total, and on which sides a row exists
	 * (enum tfp_side); NULL: nothing is compared. A base may have the totals alone
	 */
	int64_t *baseline_self, *baseline_total;
	uint8_t *side;
	uint32_t baseline_absent; /* bit m: the baseline knows nothing of metric m */
	bool of_itself;           /* the baseline is what is compared with it */
	/* compared with another file: of how many steps both are the sum; 0: they are none */
	size_t sum_steps, baseline_steps;
	struct tfp_base *holds[2]; /* private: bases whose columns these are */
	bool shapes;               /* private: made when shapes, and so parameters, were known */
	bool spread;               /* metrics of the kind TFP_SPREAD are found, or never known */
	uint8_t *precision;        /* by row and metric: enum tfp_precision; NULL: all are exact */
	struct tfp_figure
		*bounds;   /* with precision: by row and metric self and total, between what */
	uint32_t negative; /* bit m: some self or total value of metric m is below zero */
	uint32_t accounted_count; /* rows that are accounted, and the sums of their self values */
	int64_t accounted[TFP_MAX_METRICS];
};

/* The whole name of a row. Points into the strings of the profile; not ended by a NUL. */
static inline struct tfp_span tfp_base_label(const struct tfp_base *base, uint32_t row)
{
	struct tfp_span label = tfp_strings_get(base->strings, base->name[row]);

	if (base->name_size)
		label.size = base->name_size[row];
	return label;
}

/* The raw text that VALUE of a metric of TFP_WORDS stands for. */
static inline struct tfp_span tfp_metric_word(const struct tfp_base *base, uint32_t metric,
					      int64_t value)
{
	const struct tfp_metric *words = &base->metrics[metric];

	if (value < 0 || value >= words->word_count)
		return (struct tfp_span){"", 0};
	return tfp_strings_get(base->strings, words->words[value]);
}

/* ---- tree: what is shown ------------------------------------------------------------------- */

struct tfp_tree {
	_Atomic uint32_t references;
	struct tfp_arena arena;
	struct tfp_base *base;
	const int64_t *total;    /* base's, or recomputed for account_displayed_op_only */
	const int64_t *baseline; /* the same of the baseline; NULL: nothing is compared */
	const int64_t *defined;
	/* op view: cumulative totals of the report, running[row * metric_count + metric], valid for the
	 * root and the kept rows directly below it; elsewhere NULL */
	const int64_t *running;
	/* children of row r: child[child_first[r] .. + child_count[r]), natural order; base row ids.
	 * They lie in the order of their parents, so those of a subtree lie together */
	uint32_t *child_first, *child_count, *child;
	const uint32_t *ranked; /* flat: the root's children in the tree's order; else NULL */
	uint8_t *shown; /* per base row: 0 hidden, 1 shown, 2 shown only as an ancestor (context) */
	/* per base row: only --max_depth hides it, and rows above it stand for it, too; NULL: no row is so */
	bool *deep;
	/*
	 * time view: places (see tfprof/strips.h) of the events that have one of the names to be shown; NULL: none
	 * has, or any may be shown
	 */
	const uint32_t *lit;
	size_t lit_count;
	uint32_t root;                   /* 0, or the row zoomed to */
	uint32_t shown_count;            /* rows shown, the root not counted */
	uint32_t deep_count;             /* rows that only --max_depth hides */
	uint32_t hidden_count;           /* accounted rows that the filters took away */
	int64_t hidden[TFP_MAX_METRICS]; /* their self values */
	int order_metric;                /* metric to sort by, or one of TFP_ORDER_ */
	bool reverse;
	struct tfp_query query; /* a copy: what made it */
	void *owned[10];        /* private: columns that are freed with the tree */
	uint32_t owned_count;
};

/*
 * DEFINED: by the nodes that are a row's own; NODES: as the column counts them, with those below. Those from DIFFERENCE
 * on with a metric added: by what it differs from the baseline, by how many times, by what rows have of it themselves,
 * by what the baseline has of it, by what they have of it a second, and by what of a step's length devices are busy.
 * From LAUNCH on, whatever the metric, by how kernels were launched, in the order of TFP_COLUMN_LAUNCH; by SINCE when.
 */
enum {
	TFP_ORDER_NONE = -1,
	TFP_ORDER_NAME = -2,
	TFP_ORDER_DEFINED = -3,
	TFP_ORDER_NODES = -4,
	TFP_ORDER_DIFFERENCE = 0x100,
	TFP_ORDER_RATIO = 0x200,
	TFP_ORDER_SELF = 0x300,
	TFP_ORDER_BASELINE = 0x400,
	TFP_ORDER_RATE = 0x500,
	TFP_ORDER_BUSY_SHARE = 0x600,
	TFP_ORDER_LAUNCH = 0x700,
	TFP_ORDER_SINCE = 0xc00
};
/* "rate" of such an ORDER with a metric, to which the metric's key is added behind a colon; NULL: it is another. */
const char *tfp_order_word(int order);

/* Is any node the gradient of another, which --merge_gradients makes one with it? */
bool tfp_has_gradients(const struct tfp_profile *profile);

struct tfp_engine *tfp_engine_new(struct tfp_profile *profile); /* takes over PROFILE */
void tfp_engine_free(struct tfp_engine *engine);
struct tfp_profile *tfp_engine_profile(struct tfp_engine *engine); /* the engine's */
/*
 * Lets queries with the baseline TEXT ("file:PATH,…") compare with the profile of OTHER, which the
 * engine takes over.
 */
void tfp_engine_add_baseline(struct tfp_engine *engine, const char *text, struct tfp_engine *other);
/* The files of TEXT, which was added, are those of ENGINE: what is compared with them is told to be compared with itself. */
void tfp_engine_compares_itself(struct tfp_engine *engine, const char *text);
/* Was it added? */
bool tfp_engine_has_baseline(const struct tfp_engine *engine, const char *text);

/*
 * Runs QUERY. NULL when it can't be run (an error in DIAG: missing data, invalid pattern with its offset, unknown
 * step …) or was cancelled (no error). The caller releases the tree.
 */
struct tfp_tree *tfp_engine_run(struct tfp_engine *engine, const struct tfp_query *query,
				struct tfp_job *job, struct tfp_diag *diag);
/* Counts one more who has TREE, and returns it; one less, of whom the last frees it. TREE may be NULL then. */
struct tfp_tree *tfp_tree_hold(struct tfp_tree *tree);
void tfp_tree_release(struct tfp_tree *tree);

/* Does ROW pass the filters, be it shown or deeper than is shown? What passes makes up the rows above it. */
static inline bool tfp_tree_passes(const struct tfp_tree *tree, uint32_t row)
{
	return tree->shown[row] == 1 || (tree->deep && tree->deep[row]);
}

/* The value of METRIC in ROW of VALUES, in its unit; 0 where none are held. */
static inline int64_t tfp_base_value(const struct tfp_base *base, const int64_t *values,
				     uint32_t row, uint32_t metric)
{
	return metric < base->metric_count ? values[(size_t)row * base->metric_count + metric] : 0;
}
static inline int64_t tfp_tree_self(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	return tfp_base_value(tree->base, tree->base->self, row, metric);
}
static inline int64_t tfp_tree_total(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	return tfp_base_value(tree->base, tree->total, row, metric);
}

/*
 * Is VALUE, the total of METRIC in ROW, its self value or its baseline's, one that is known? What single events took is not
 * where there are none, nor what rows have of their own nodes alone where a row has none.
 */
bool tfp_tree_known(const struct tfp_tree *tree, uint32_t row, uint32_t metric, int64_t value);

/* The value of the baseline, and what ROW has more than it; 0 where nothing is compared. */
static inline int64_t tfp_tree_baseline(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	return tree->baseline ? tfp_base_value(tree->base, tree->baseline, row, metric) : 0;
}
static inline int64_t tfp_tree_difference(const struct tfp_tree *tree, uint32_t row,
					  uint32_t metric)
{
	uint64_t value = (uint64_t)tfp_tree_total(tree, row, metric);

	return tree->baseline ? (int64_t)(value - (uint64_t)tfp_tree_baseline(tree, row, metric))
			      : 0;
}
static inline enum tfp_side tfp_tree_side(const struct tfp_tree *tree, uint32_t row)
{
	return tree->base->side ? (enum tfp_side)tree->base->side[row] : TFP_SIDE_NONE;
}
/*
 * The shown child of ROW that has most of METRIC (of steps the longest), or with a baseline most of what ROW differs by;
 * TFP_NONE without children. *SHARE gets its part of ROW's, 0 where that is not known.
 */
uint32_t tfp_tree_heaviest(const struct tfp_tree *tree, uint32_t row, uint32_t metric,
			   double *share);
/* The time of the gap that ROW is in the idle view; false: it is none. */
bool tfp_tree_gap(const struct tfp_tree *tree, uint32_t row, int64_t *begin, int64_t *end);
/* The index of the step that ROW belongs to in the steps view; TFP_NONE elsewhere. */
static inline uint32_t tfp_tree_step(const struct tfp_tree *tree, uint32_t row)
{
	return tree->base->step ? tree->base->step[row] : TFP_NONE;
}

/* The number of the rank that ROW belongs to in the steps view of several; negative elsewhere. */
static inline int64_t tfp_tree_rank(const struct tfp_tree *tree, uint32_t row)
{
	const struct tfp_base *base = tree->base;

	return base->rank && base->rank[row] != TFP_NONE ? base->ranks[base->rank[row]].number : -1;
}

/* Shown children of ROW in the tree's order into OUT[child_count[row]]; stable, ties in natural order. */
void tfp_tree_children(const struct tfp_tree *tree, uint32_t row, uint32_t *out);
/* The same by another order (what the screen's sort does without a new query). */
void tfp_tree_children_by(const struct tfp_tree *tree, uint32_t row, int order_metric, bool reverse,
			  uint32_t *out);
/* The shown row with KEY, or TFP_NONE. Linear. */
uint32_t tfp_tree_find(const struct tfp_tree *tree, uint64_t key);
/* The row that ROW stands for: itself, unless it is a link. */
uint32_t tfp_base_place(const struct tfp_base *base, uint32_t row);
/* Nearest shown row at or above ROW in the tree. */
uint32_t tfp_tree_shown_parent(const struct tfp_tree *tree, uint32_t row);
/* What --zoom must be to name ROW: its label, or "outer > inner" where an earlier row has that label. */
char *tfp_tree_zoom(const struct tfp_tree *tree, uint32_t row, struct tfp_arena *arena);
/*
 * Name to draw for a row: what a scope path, an op type's shapes, or a launch of a kernel, have more than the label of the
 * shown parent; the whole label elsewhere.
 */
struct tfp_span tfp_tree_name(const struct tfp_tree *tree, uint32_t row, uint32_t parent);
/*
 * The label of ROW; in a flat list, where nothing is above it, with the step that it is of in front ("step 4: a/b"), and
 * behind shorter gaps of the idle view with their cause. In ARENA, or for as long as the tree.
 */
struct tfp_span tfp_tree_full_name(const struct tfp_tree *tree, uint32_t row,
				   struct tfp_arena *arena);

/* Which shown rows hold TEXT in their label (smart case): prefix counts, so that a subtree's are O(1). */
struct tfp_matches {
	uint32_t *before; /* before[row]: matches with a smaller id; base.count + 1 entries */
};
/* False when cancelled. Free with tfp_matches_free. */
bool tfp_tree_match(const struct tfp_tree *tree, const char *text, struct tfp_matches *matches,
		    struct tfp_job *job);
void tfp_matches_free(struct tfp_matches *matches);

/* The variable of a checkpoint that has the name of ROW, as an index in the profile's tensors; TFP_NONE. */
uint32_t tfp_tree_tensor(const struct tfp_tree *tree, const struct tfp_profile *profile,
			 uint32_t row);

/* ---- advice: what the checkers of TensorFlow's profiler look for ---------------------------- */

struct tfp_advice_line {
	const char *checker; /* "OperationChecker" */
	const char *brief;   /* the same in a few words; NULL: none */
	const char *text;    /* in the advice's arena, or for good; names in it are raw bytes */
	bool skipped; /* the checker lacks what it needs: the text says what, and how it is made */
	struct tfp_target target; /* the row that it is about */
};

struct tfp_advice {
	struct tfp_arena arena;
	TFP_ARRAY(struct tfp_advice_line)
	list; /* each checker has one at least; they lie together */
};

/*
 * Runs all checkers, for the mean of the steps; with COMPAT as TensorFlow's accidents have it. False with an error
 * when the profile is none of TensorFlow's or a view failed, and without one when cancelled; else free ADVICE with
 * tfp_advice_free.
 */
bool tfp_engine_advise(struct tfp_engine *engine, bool compat, struct tfp_advice *advice,
		       struct tfp_job *job, struct tfp_diag *diag);
void tfp_advice_free(struct tfp_advice *advice);

/* ---- sentences ----------------------------------------------------------------------------- */

/*
 * One line of facts about a row ("3,639 nodes, 939 ran, on cpu:0"), and of the whole profile
 * (findings for the opening line). In ARENA.
 */
char *tfp_engine_facts(struct tfp_engine *engine, const struct tfp_tree *tree, uint32_t row,
		       struct tfp_arena *arena);
/*
 * What --shape must be to leave what has the input shapes of ROW: NULL where the row is of many, or has no
 * inputs. In ARENA.
 */
char *tfp_engine_shape(struct tfp_engine *engine, const struct tfp_tree *tree, uint32_t row,
		       struct tfp_job *job, struct tfp_arena *arena);
/* "2 findings: …; …": what stands out in a profile, in one line; NULL: nothing. In ARENA. */
char *tfp_findings(const struct tfp_profile *profile, struct tfp_arena *arena);
/*
 * Of a recording, how much of the time is known by an op and by shapes: "93% of the device time has an op, 71% a
 * shape", and what the tree's view leaves out as it is in no scope. NULL: nothing is measured. In ARENA.
 */
char *tfp_tree_coverage(const struct tfp_tree *tree, const struct tfp_profile *profile,
			struct tfp_arena *arena);
/* "3%", "0.7%": so much of the files PROFILE has, where it is a part of them, not to be taken for the whole. Else NULL. In ARENA. */
char *tfp_part_text(const struct tfp_profile *profile, struct tfp_arena *arena);
#define TFP_BRIEFEST 6
/*
 * "time, mean of steps 0 2 │ all ops, 0% hidden" for the query line, '|' between the parts. BRIEF, from 0 to
 * TFP_BRIEFEST, leaves out more and more of the words that tell least.
 */
char *tfp_tree_summary(const struct tfp_tree *tree, const struct tfp_profile *profile,
		       const struct tfp_lens *lens, int brief, struct tfp_arena *arena);

#endif
