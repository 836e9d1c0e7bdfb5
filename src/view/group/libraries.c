/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of libraries: see libraries.h. PyTorch cuts from a path the folder in which Python found the
 * module, so its own begin with "torch/" and those of Python's library with "typing.py", as the
 * program's begin with a name of its own. What begins so is what "import torch" gave this program: a
 * folder of that name elsewhere is in an absolute path, and is not meant.
 */
#include "view/group/libraries.h"

#include <string.h>

/* Folders of packages; TensorFlow's own sources, as it was built. */
#define ANYWHERE "/site-packages/,/dist-packages/,/lib/python,tensorflow/,<frozen"
#define PACKAGES                                                                                   \
	",^torch/,^torchvision/,^torchaudio/,^functorch/,^triton/,^accelerate/,^deepspeed/"        \
	",^lightning/,^pytorch_lightning/,^transformers/,^diffusers/,^jax/,^jaxlib/,^flax/"        \
	",^optax/,^numpy/,^tqdm/"
#define PYTHON                                                                                     \
	",^abc.py,^asyncio/,^collections/,^concurrent/,^contextlib.py,^copy.py"                    \
	",^dataclasses.py,^enum.py,^functools.py,^importlib/,^inspect.py,^json/,^logging/"         \
	",^multiprocessing/,^pickle.py,^queue.py,^random.py,^re.py,^re/,^runpy.py,^threading.py"   \
	",^typing.py,^warnings.py,^weakref.py"

struct tfp_words tfp_libraries_parse(struct tfp_arena *arena, const char *paths)
{
	return tfp_words_parse(arena, paths ? paths : ANYWHERE PACKAGES PYTHON);
}

static bool matches(struct tfp_span path, const char *text)
{
	if (*text != '^')
		return tfp_span_holds(path, text);
	return tfp_span_begins(path, (struct tfp_span){text + 1, strlen(text + 1)});
}

bool tfp_libraries_hold(const struct tfp_words *texts, struct tfp_span path)
{
	for (size_t i = 0; i < texts->count; i++)
		if (matches(path, texts->at[i]))
			return true;
	return false;
}
