/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of a tensor in one pass. The bars of the histogram grow with the values that are met: their
 * width is a power of two, and doubling it makes one bar of two, so that nothing is read twice.
 */
#include <math.h>
#include <string.h>

#include "tfprof/model.h"

#define PIECE ((size_t)1 << 15) /* elements that are read at a time */

/*
 * Bars begin this many binary digits finer than the first value, and their numbers stay exact in a
 * floating point number.
 */
#define FINEST_DIGITS 50

/* A sum and what its additions lost. */
struct sum {
	long double total, lost;
};

struct measuring {
	struct tfp_measures *measures;
	const struct tfp_dtype *dtype;
	struct sum real, imaginary;
	int exponent;   /* of the bars' width */
	double inverse; /* of the width */
	double reals[PIECE];
};

static void add(struct sum *sum, double value)
{
	long double term = (long double)value, total = sum->total + term;
	long double added = total - sum->total;

	sum->lost += (sum->total - (total - added)) + (term - added);
	sum->total = total;
}

static double mean(const struct sum *sum, uint64_t count)
{
	return count ? (double)((sum->total + sum->lost) / (long double)count) : 0;
}

/* ---- histogram -------------------------------------------------------------------------------- */

/* Makes one bar of each two. */
static void widen(struct measuring *measuring)
{
	struct tfp_histogram *histogram = &measuring->measures->histogram;
	int64_t first = histogram->first >> 1;
	uint64_t bars[TFP_HISTOGRAM_BARS] = {0};
	size_t count = 0;

	for (size_t i = 0; i < histogram->count; i++) {
		count = (size_t)(((histogram->first + (int64_t)i) >> 1) - first);
		bars[count] += histogram->bars[i];
	}
	memcpy(histogram->bars, bars, sizeof(bars));
	histogram->first = first;
	histogram->count = count + 1;
	measuring->exponent++;
	histogram->width = ldexp(1, measuring->exponent);
	measuring->inverse = ldexp(1, -measuring->exponent);
}

static void begin_bars(struct measuring *measuring, double value)
{
	int exponent = -1074 + FINEST_DIGITS;

	if (value != 0)
		frexp(value, &exponent);
	exponent -= FINEST_DIGITS;
	measuring->exponent = exponent < -1022 ? -1022 : exponent;
	measuring->measures->histogram.width = ldexp(1, measuring->exponent);
	measuring->inverse = ldexp(1, -measuring->exponent);
	measuring->measures->histogram.first = (int64_t)floor(value * measuring->inverse);
	measuring->measures->histogram.count = 1;
}

/* Puts bars there, until the one of VALUE is among them, and returns its number. */
static size_t make_room(struct measuring *measuring, double value)
{
	struct tfp_histogram *histogram = &measuring->measures->histogram;
	double place;

	if (!histogram->count)
		begin_bars(measuring, value);
	for (;;) {
		place = floor(value * measuring->inverse);
		if (place >= (double)histogram->first + (double)histogram->count -
				     TFP_HISTOGRAM_BARS &&
		    place < (double)histogram->first + TFP_HISTOGRAM_BARS)
			break;
		widen(measuring);
	}
	if (place < (double)histogram->first) {
		size_t more = (size_t)(histogram->first - (int64_t)place);

		memmove(histogram->bars + more, histogram->bars,
			histogram->count * sizeof(*histogram->bars));
		memset(histogram->bars, 0, more * sizeof(*histogram->bars));
		histogram->first = (int64_t)place;
		histogram->count += more;
	}
	if (place >= (double)histogram->first + (double)histogram->count)
		histogram->count = (size_t)((int64_t)place - histogram->first) + 1;
	return (size_t)((int64_t)place - histogram->first);
}

static void count_value(struct measuring *measuring, double value)
{
	struct tfp_histogram *histogram = &measuring->measures->histogram;
	double place = value * measuring->inverse - (double)histogram->first;

	if (place >= 0 && place < (double)histogram->count)
		histogram->bars[(size_t)place]++;
	else
		histogram->bars[make_room(measuring, value)]++;
}

/* ---- elements --------------------------------------------------------------------------------- */

static bool less(struct tfp_scalar a, struct tfp_scalar b)
{
	if (a.element == TFP_ELEMENT_SIGNED)
		return a.whole < b.whole;
	return a.element == TFP_ELEMENT_UNSIGNED ? a.natural < b.natural : a.real < b.real;
}

static void measure_reals(struct measuring *measuring, const uint8_t *at, size_t count)
{
	struct tfp_measures *measures = measuring->measures;
	double least = (double)INFINITY, most = -(double)INFINITY;
	size_t least_at = 0, most_at = 0, finite = 0;

	tfp_scalars_real(measuring->dtype, at, count, measuring->reals);
	for (size_t i = 0; i < count; i++) {
		double value = measuring->reals[i];

		if (!isfinite(value)) {
			measures->nan += isnan(value) != 0;
			continue;
		}
		finite++;
		measures->zeros += value == 0;
		if (value < least) {
			least = value;
			least_at = i;
		}
		if (value > most) {
			most = value;
			most_at = i;
		}
		add(&measuring->real, value);
		count_value(measuring, value);
	}
	if (finite) {
		struct tfp_scalar low =
			tfp_scalar_of(measuring->dtype, at + least_at * measuring->dtype->size);
		struct tfp_scalar high =
			tfp_scalar_of(measuring->dtype, at + most_at * measuring->dtype->size);

		if (!measures->finite || less(low, measures->min))
			measures->min = low;
		if (!measures->finite || less(measures->max, high))
			measures->max = high;
	}
	measures->finite += finite;
}

static void measure_complex(struct measuring *measuring, const uint8_t *at, size_t count)
{
	struct tfp_measures *measures = measuring->measures;

	for (size_t i = 0; i < count; i++) {
		struct tfp_scalar scalar =
			tfp_scalar_of(measuring->dtype, at + i * measuring->dtype->size);

		if (isnan(scalar.real) || isnan(scalar.imaginary)) {
			measures->nan++;
		} else if (isfinite(scalar.real) && isfinite(scalar.imaginary)) {
			measures->finite++;
			measures->zeros += scalar.real == 0 && scalar.imaginary == 0;
			add(&measuring->real, scalar.real);
			add(&measuring->imaginary, scalar.imaginary);
		}
	}
}

static void measure_strings(struct tfp_measures *measures, const struct tfp_elements *elements)
{
	for (size_t i = 0; i < elements->count; i++) {
		uint64_t length = elements->texts.at[i].length;

		if (!measures->elements || length < measures->shortest)
			measures->shortest = length;
		if (length > measures->longest)
			measures->longest = length;
		measures->length += length;
		measures->elements++;
	}
}

static void measure(struct measuring *measuring, const struct tfp_elements *elements)
{
	if (measuring->dtype->element == TFP_ELEMENT_STRING) {
		measure_strings(measuring->measures, elements);
		return;
	}
	if (measuring->dtype->element == TFP_ELEMENT_COMPLEX)
		measure_complex(measuring, elements->bytes.at, elements->count);
	else
		measure_reals(measuring, elements->bytes.at, elements->count);
	measuring->measures->elements += elements->count;
}

static void finish(struct measuring *measuring)
{
	struct tfp_measures *measures = measuring->measures;
	bool complex = measuring->dtype->element == TFP_ELEMENT_COMPLEX;

	measures->infinite = measures->elements - measures->finite - measures->nan;
	if (measuring->dtype->element == TFP_ELEMENT_STRING)
		measures->infinite = 0;
	measures->mean.element = complex ? TFP_ELEMENT_COMPLEX : TFP_ELEMENT_REAL;
	measures->mean.real = mean(&measuring->real, measures->finite);
	measures->mean.imaginary = mean(&measuring->imaginary, measures->finite);
}

bool tfp_values_measure(struct tfp_values *values, struct tfp_measures *measures,
			struct tfp_job *job, struct tfp_diag *diag)
{
	uint64_t total = tfp_values_tensor(values)->elements;
	struct measuring *measuring = tfp_alloc(sizeof(*measuring));
	struct tfp_elements elements = {.most = 1};
	bool good = true;

	*measures = (struct tfp_measures){0};
	*measuring = (struct measuring){
		.measures = measures,
		.dtype = tfp_values_dtype(values),
		.inverse = 1,
	};
	for (uint64_t first = 0; first < total && good; first += PIECE) {
		good = !tfp_job_cancelled(job) &&
		       tfp_values_read(values, first, PIECE, &elements, job, diag);
		if (good)
			measure(measuring, &elements);
		if (good && job)
			tfp_job_progress(job, first + elements.count);
	}
	finish(measuring);
	measures->right = good && tfp_values_check(values, job, diag);
	tfp_elements_free(&elements);
	tfp_array_release(measuring);
	return good && !tfp_job_cancelled(job);
}
