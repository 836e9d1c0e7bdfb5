/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Float operations of PyTorch's ops by the shapes of their inputs: see flops.h. Counted as PyTorch counts them where it does
 * (products, convolutions, sums), each function of one number as one, and what moves data as none. Where a shape or a stride
 * is missing nothing is known.
 */
#include "load/chrome/flops.h"

#include <string.h>

#include "load/chrome/lists.h"

#define MOST_DIMS 8

/* Sums of this many and more are no figures of an op: files may say anything. */
#define TOO_MANY    9e18
#define MOST_PLACES 1e15

struct shape {
	int count;
	double dim[MOST_DIMS];
};

/* Where an op has its arguments. */
struct rule {
	const char *name;
	/* 0: not known */
	double (*count)(const struct rule *rule, const struct flops_inputs *inputs);
	int8_t first, second; /* its tensors, the input and the filter of convolutions */
	int8_t stride, padding, dilation; /* -1: none */
	int8_t transposed;                /* -1: no; more: the argument that says so; ALWAYS */
	int8_t each;                      /* operations for each element */
};

#define ALWAYS INT8_MAX

/* ---- reading what the op says ---------------------------------------------------------------------- */

/* The next of a list: before its end a number or word has the blanks there with it, as in indented files. */
static bool next(struct elements *elements, struct tfp_span *element)
{
	if (!list_next(elements, element))
		return false;
	while (element->size && (unsigned char)element->at[element->size - 1] <= ' ')
		element->size--;
	return true;
}

static bool read_number(struct tfp_span text, int64_t *number)
{
	struct tfp_json_token token = {.kind = TFP_JSON_NUMBER, .text = text};

	return tfp_json_integer(&token, 0, number);
}

static bool read_numbers(struct tfp_span list, struct shape *shape)
{
	struct elements elements = list_elements(list);
	struct tfp_span element;

	shape->count = 0;
	while (next(&elements, &element)) {
		int64_t number;

		if (shape->count == MOST_DIMS || !read_number(element, &number) || number < 0)
			return false;
		shape->dim[shape->count++] = (double)number;
	}
	return true;
}

static bool find(struct tfp_span list, int place, struct tfp_span *element)
{
	struct elements elements = list_elements(list);

	for (; place >= 0; place--)
		if (!next(&elements, element))
			return false;
	return true;
}

/* The shape of an input; false: it is none, or not known. */
static bool read_shape(const struct flops_inputs *inputs, int place, struct shape *shape)
{
	struct tfp_span element;

	return find(inputs->dims, place, &element) && element.size && *element.at == '[' &&
	       read_numbers(element, shape);
}

/* A list among the values, "[1, 1]"; one number stands for all dimensions. */
static bool read_value(const struct flops_inputs *inputs, int place, struct shape *shape)
{
	struct tfp_span element;

	return find(inputs->values, place, &element) && read_numbers(list_text(element), shape) &&
	       shape->count;
}

static bool is_true(const struct flops_inputs *inputs, int place)
{
	struct tfp_span element;

	return find(inputs->values, place, &element) &&
	       tfp_span_equal(list_text(element), TFP_SPAN("True"));
}

static double elements_of(const struct shape *shape)
{
	double elements = 1;

	for (int i = 0; i < shape->count; i++)
		elements *= shape->dim[i];
	return elements;
}

static double value_of(const struct shape *value, int dimension)
{
	return value->dim[dimension < value->count ? dimension : value->count - 1];
}

/* ---- products -------------------------------------------------------------------------------------- */

/* Of two matrices, or as many pairs of them. */
static double count_product(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape a, b;

	if (!read_shape(inputs, rule->first, &a) || !read_shape(inputs, rule->second, &b) ||
	    a.count < 2 || b.count != a.count || a.dim[a.count - 1] != b.dim[b.count - 2])
		return 0;
	return 2 * elements_of(&a) * b.dim[b.count - 1];
}

/* Of a matrix and a vector, or of two vectors. */
static double count_vector(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape a, b;

	if (!read_shape(inputs, rule->first, &a) || !read_shape(inputs, rule->second, &b) ||
	    !a.count || b.count != 1 || a.dim[a.count - 1] != b.dim[0])
		return 0;
	return 2 * elements_of(&a);
}

/* Of all rows of the first with a matrix that is turned. */
static double count_linear(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape a, b;

	if (!read_shape(inputs, rule->first, &a) || !read_shape(inputs, rule->second, &b) ||
	    !a.count || b.count != 2 || a.dim[a.count - 1] != b.dim[1])
		return 0;
	return 2 * elements_of(&a) * b.dim[0];
}

/* ---- convolutions ---------------------------------------------------------------------------------- */

/* The places of the output along one dimension of space. */
static double places(const struct shape *input, const struct shape *filter,
		     const struct shape values[3], int dimension)
{
	double stride = value_of(&values[0], dimension), padding = value_of(&values[1], dimension);
	double reach = value_of(&values[2], dimension) * (filter->dim[dimension + 2] - 1) + 1;
	double room = input->dim[dimension + 2] + 2 * padding - reach;

	if (room < 0 || stride < 1 || room / stride > MOST_PLACES)
		return 0;
	return (double)(int64_t)(room / stride) + 1;
}

/* The filter is put to each place of the output; of one that is transposed to each place of the input. */
static double count_convolution(const struct rule *rule, const struct flops_inputs *inputs)
{
	const int8_t arguments[3] = {rule->stride, rule->padding, rule->dilation};
	struct shape input, filter, values[3];
	bool transposed = rule->transposed == ALWAYS ||
			  (rule->transposed >= 0 && is_true(inputs, rule->transposed));
	double count;

	if (!read_shape(inputs, rule->first, &input) ||
	    !read_shape(inputs, rule->second, &filter) || input.count < 3 ||
	    filter.count != input.count)
		return 0;
	if (transposed)
		return 2 * elements_of(&input) * elements_of(&filter) / filter.dim[0];
	for (int i = 0; i < 3; i++) {
		values[i] = (struct shape){1, {1}};
		if (arguments[i] >= 0 && !read_value(inputs, arguments[i], &values[i]))
			return 0;
	}
	count = 2 * input.dim[0] * elements_of(&filter);
	for (int i = 0; i < input.count - 2; i++)
		count *= places(&input, &filter, values, i);
	return count;
}

/* As much for the gradient of the input as for that of the filter; which of them are asked for is the last argument. */
static double count_convolution_back(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape output, input, filter;
	struct tfp_span mask, element;
	struct elements elements;
	double count, asked = 0;
	bool transposed = is_true(inputs, rule->transposed);

	if (!read_shape(inputs, 0, &output) || !read_shape(inputs, 1, &input) ||
	    !read_shape(inputs, 2, &filter) || filter.count != output.count || output.count < 3 ||
	    input.count != output.count || !filter.dim[0] || !find(inputs->values, 10, &mask))
		return 0;
	count = 2 * elements_of(transposed ? &input : &output) * elements_of(&filter) /
		filter.dim[0];
	elements = list_elements(list_text(mask));
	for (int i = 0; i < 2 && next(&elements, &element); i++)
		asked += tfp_span_equal(element, TFP_SPAN("True"));
	return asked * count;
}

/* ---- attention ------------------------------------------------------------------------------------- */

/*
 * Queries [batch, heads, positions, size], or with positions before heads where EACH says so: two products forward, and
 * five backward, of which three are of the size of keys and two of that of values. A mask leaves them as they are.
 */
static double count_attention(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape query, key, value;
	int position = rule->each & 1 ? 1 : 2, backward = rule->each & 2;

	if (!read_shape(inputs, rule->first, &query) ||
	    !read_shape(inputs, rule->first + 1, &key) ||
	    !read_shape(inputs, rule->first + 2, &value) || query.count != 4 || key.count != 4 ||
	    value.count != 4)
		return 0;
	return 2 * query.dim[0] * query.dim[1] * query.dim[2] * key.dim[position] *
	       ((backward ? 3 : 1) * query.dim[3] + (backward ? 2 : 1) * value.dim[3]);
}

/* ---- one element at a time -------------------------------------------------------------------------- */

/* Whole numbers are counted, added and compared too, for places in tensors. */
static bool is_whole(const struct flops_inputs *inputs)
{
	struct tfp_span type;

	return find(inputs->types, 0, &type) &&
	       (tfp_span_holds(type, "int") || tfp_span_holds(type, "bool") ||
		tfp_span_holds(type, "char"));
}

static double count_unary(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape shape;

	return !is_whole(inputs) && read_shape(inputs, rule->first, &shape)
		       ? rule->each * elements_of(&shape)
		       : 0;
}

/* The smaller of two inputs is as large as the other. */
static double count_binary(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape a, b;
	double count = rule->each;

	if (is_whole(inputs) || !read_shape(inputs, 0, &a) || !read_shape(inputs, 1, &b))
		return 0;
	for (int i = 1; i <= MOST_DIMS; i++) {
		double left = i <= a.count ? a.dim[a.count - i] : 1;
		double right = i <= b.count ? b.dim[b.count - i] : 1;

		count *= left == 1 ? right : left;
	}
	return count;
}

/* Rows along the dimension that the second argument names: 5 for each element, but 2 (of the logarithm 1) for each row. */
static double count_softmax(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape shape;
	struct tfp_span element;
	int64_t dimension;

	if (!read_shape(inputs, 0, &shape) || !shape.count || !find(inputs->values, 1, &element) ||
	    !read_number(list_text(element), &dimension))
		return 0;
	dimension += dimension < 0 ? shape.count : 0;
	if (dimension < 0 || dimension >= shape.count || !shape.dim[dimension])
		return 0;
	return elements_of(&shape) * (5 - rule->each / shape.dim[dimension]);
}

/* Rows as large as the weights: 9 for each element, and 2 for each row. */
static double count_layer_norm(const struct rule *rule, const struct flops_inputs *inputs)
{
	struct shape shape, weights;

	if (!read_shape(inputs, 0, &shape) || !read_shape(inputs, rule->second, &weights) ||
	    !weights.count || !(elements_of(&weights) > 0))
		return 0;
	return 9 * elements_of(&shape) + 2 * elements_of(&shape) / elements_of(&weights);
}

/* ---- which op ---------------------------------------------------------------------------------------- */

#define PRODUCT(name, first, second)                                                               \
	{                                                                                          \
		name, count_product, first, second, -1, -1, -1, -1, 0                              \
	}
#define VECTOR(name, first, second)                                                                \
	{                                                                                          \
		name, count_vector, first, second, -1, -1, -1, -1, 0                               \
	}
#define CONVOLUTION(name, stride, padding, dilation, transposed)                                   \
	{                                                                                          \
		name, count_convolution, 0, 1, stride, padding, dilation, transposed, 0            \
	}
#define ATTENTION(name, first, order)                                                              \
	{                                                                                          \
		name, count_attention, first, 0, -1, -1, -1, -1, order                             \
	}
#define UNARY(name, each)                                                                          \
	{                                                                                          \
		name, count_unary, 0, 0, -1, -1, -1, -1, each                                      \
	}
#define BINARY(name)                                                                               \
	{                                                                                          \
		name, count_binary, 0, 1, -1, -1, -1, -1, 1                                        \
	}

static const struct rule rules[] = {
	PRODUCT("mm", 0, 1),
	PRODUCT("addmm", 1, 2),
	PRODUCT("addmm_", 1, 2),
	PRODUCT("_addmm_activation", 1, 2),
	PRODUCT("_scaled_mm", 0, 1),
	PRODUCT("_int_mm", 0, 1),
	PRODUCT("bmm", 0, 1),
	PRODUCT("baddbmm", 1, 2),
	PRODUCT("baddbmm_", 1, 2),
	PRODUCT("addbmm", 1, 2),
	VECTOR("mv", 0, 1),
	VECTOR("addmv", 1, 2),
	VECTOR("addmv_", 1, 2),
	VECTOR("dot", 0, 1),
	{"linear", count_linear, 0, 1, -1, -1, -1, -1, 0},
	CONVOLUTION("convolution", 3, 4, 5, 6),
	CONVOLUTION("_convolution", 3, 4, 5, 6),
	CONVOLUTION("convolution_overrideable", 3, 4, 5, 6),
	CONVOLUTION("conv1d", 3, 4, 5, -1),
	CONVOLUTION("conv2d", 3, 4, 5, -1),
	CONVOLUTION("conv3d", 3, 4, 5, -1),
	CONVOLUTION("conv_transpose1d", -1, -1, -1, ALWAYS),
	CONVOLUTION("conv_transpose2d", -1, -1, -1, ALWAYS),
	CONVOLUTION("conv_transpose3d", -1, -1, -1, ALWAYS),
	CONVOLUTION("cudnn_convolution", 3, 2, 4, -1),
	CONVOLUTION("cudnn_convolution_relu", 3, 4, 5, -1),
	CONVOLUTION("cudnn_convolution_transpose", -1, -1, -1, ALWAYS),
	CONVOLUTION("miopen_convolution", 4, 3, 5, -1),
	CONVOLUTION("miopen_depthwise_convolution", 4, 3, 5, -1),
	CONVOLUTION("miopen_convolution_relu", 3, 4, 5, -1),
	CONVOLUTION("miopen_convolution_transpose", -1, -1, -1, ALWAYS),
	CONVOLUTION("mkldnn_convolution", 4, 3, 5, -1),
	CONVOLUTION("thnn_conv2d", 4, 5, -1, -1),
	CONVOLUTION("_slow_conv2d_forward", 4, 5, -1, -1),
	CONVOLUTION("slow_conv3d_forward", 4, 5, -1, -1),
	CONVOLUTION("slow_conv_dilated2d", 4, 5, 6, -1),
	CONVOLUTION("slow_conv_dilated3d", 4, 5, 6, -1),
	CONVOLUTION("_conv_depthwise2d", 4, 5, 6, -1),
	CONVOLUTION("conv_depthwise3d", 4, 5, 6, -1),
	{"convolution_backward", count_convolution_back, 0, 1, -1, -1, -1, 7, 0},
	ATTENTION("_scaled_dot_product_flash_attention", 0, 0),
	ATTENTION("_scaled_dot_product_efficient_attention", 0, 0),
	ATTENTION("_scaled_dot_product_cudnn_attention", 0, 0),
	ATTENTION("_flash_attention_forward", 0, 1),
	ATTENTION("_efficient_attention_forward", 0, 1),
	ATTENTION("_cudnn_attention_forward", 0, 0),
	ATTENTION("_scaled_dot_product_flash_attention_backward", 1, 2),
	ATTENTION("_scaled_dot_product_efficient_attention_backward", 1, 2),
	ATTENTION("_scaled_dot_product_cudnn_attention_backward", 1, 2),
	ATTENTION("_flash_attention_backward", 1, 3),
	ATTENTION("_efficient_attention_backward", 1, 3),
	ATTENTION("_cudnn_attention_backward", 1, 2),
	BINARY("add"),
	BINARY("add_"),
	BINARY("sub"),
	BINARY("sub_"),
	BINARY("mul"),
	BINARY("mul_"),
	BINARY("div"),
	BINARY("div_"),
	UNARY("relu", 1),
	UNARY("relu_", 1),
	UNARY("clamp_min", 1),
	UNARY("clamp_min_", 1),
	UNARY("threshold_backward", 1),
	UNARY("neg", 1),
	UNARY("abs", 1),
	UNARY("exp", 1),
	UNARY("log", 1),
	UNARY("sqrt", 1),
	UNARY("rsqrt", 1),
	UNARY("reciprocal", 1),
	UNARY("sin", 1),
	UNARY("cos", 1),
	UNARY("tanh", 1),
	UNARY("sigmoid", 1),
	UNARY("tanh_backward", 3),
	UNARY("sigmoid_backward", 3),
	UNARY("mean", 1),
	{"_softmax", count_softmax, 0, 0, -1, -1, -1, -1, 2},
	{"_log_softmax", count_softmax, 0, 0, -1, -1, -1, -1, 1},
	{"native_layer_norm", count_layer_norm, 0, 2, -1, -1, -1, -1, 0},
};

static const struct rule *find_rule(struct tfp_span name)
{
	static const char space[] = "aten::";
	size_t size = sizeof(space) - 1;

	if (name.size <= size || memcmp(name.at, space, size))
		return NULL;
	name = tfp_span_from(name, size);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (tfp_span_is(name, rules[i].name))
			return &rules[i];
	return NULL;
}

/* A product of two complex numbers is four of real ones. */
static double scale_of(const struct flops_inputs *inputs, const struct rule *rule)
{
	struct tfp_span type;

	return find(inputs->types, rule->first, &type) && tfp_span_holds(type, "complex") ? 4 : 1;
}

int64_t flops_of(struct tfp_span name, const struct flops_inputs *inputs)
{
	const struct rule *rule = find_rule(name);
	double count = rule ? rule->count(rule, inputs) : 0;

	if (rule && (rule->count == count_product || rule->count == count_vector ||
		     rule->count == count_linear || rule->count == count_convolution))
		count *= scale_of(inputs, rule);
	return count > 0 && count < TOO_MANY ? (int64_t)count : 0;
}

/* Convolutions and softmax, by a word that all of them have. */
bool flops_need_values(struct tfp_span name)
{
	return name.size > 10 && (tfp_span_holds(name, "conv") || tfp_span_holds(name, "softmax"));
}
