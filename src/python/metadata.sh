#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints METADATA of a wheel, with the page of the package: metadata.sh VERSION SOURCES
set -eu
cat << END
Metadata-Version: 2.1
Name: clup
Version: $1
Summary: Clusters of lattices and images on any OpenCL device
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-Dist: cffi
Description-Content-Type: text/markdown

END
cat "$2/doc/guide/python.md"
