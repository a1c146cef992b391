/* Calls that fail. */
#include "shim/shim.h"
