# SPDX-License-Identifier: BSD-3-Clause
"""clup for Spack from 1.0 on, from a checkout or the archive of a release:

    spack repo add packaging/spack/spack_repo/clup
    spack develop --path $PWD clup@main && spack install clup@main     # in an environment
    spack install clup@0.1.0         # where clup-0.1.0.tar.gz is in the folder or in a mirror
"""
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Clup(AutotoolsPackage):
    """Clusters of lattices and images on any OpenCL device: simulates Potts, Ising, clock, XY and Heisenberg models, draws
    samples of percolation, and labels the connected components of images, volumes and graphs."""

    # a release has no home of its own yet: Spack asks for its archive
    manual_download = True
    url = "file://{0}/clup-0.1.0.tar.gz".format(os.getcwd())

    license("BSD-3-Clause")

    version("main")
    # the archive is made when the version is released, and its SHA-256 is then put here: "make release" prints it
    version("0.1.0")

    variant("hdf5", default=True, description="Series and checkpoints in HDF5")
    variant("images", default=True, description="TIFF and JPEG images")
    variant("mpi", default=False, description="One lattice on several devices: clup-mpi")
    variant("python", default=False, description="The Python package")
    variant("static", default=False, description="The static library too")
    variant("pocl", default=False, description="Run with PoCL, which makes the processor a device")

    depends_on("c", type="build")
    depends_on("autoconf", type="build", when="@main")
    depends_on("automake", type="build", when="@main")
    depends_on("libtool", type="build", when="@main")
    depends_on("pkgconfig", type="build")

    depends_on("ocl-icd")
    depends_on("opencl-headers")
    depends_on("jansson@2.11:")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("openssl")
    depends_on("hdf5@1.10:~mpi", when="+hdf5")
    depends_on("libtiff@4.5:", when="+images")
    depends_on("jpeg", when="+images")
    depends_on("mpi@3:", when="+mpi")
    depends_on("pocl", when="+pocl", type="run")

    extends("python@3.9:", when="+python")
    depends_on("py-cffi", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type=("build", "run"))

    def configure_args(self):
        """What configure is told: where the libraries without pkg-config are, and what is left out."""
        spec = self.spec
        args = [
            "OPENCL_CFLAGS=-I{0}".format(spec["opencl-headers"].prefix.include),
            "OPENCL_LIBS=-L{0} -lOpenCL".format(spec["ocl-icd"].prefix.lib),
        ]
        args += self.with_or_without("hdf5")
        args += self.with_or_without("tiff", variant="images")
        args += self.with_or_without("jpeg", variant="images")
        args += self.enable_or_disable("static")
        if spec.satisfies("+mpi"):
            args += ["--with-mpi", "MPI_CFLAGS={0}".format(spec["mpi"].headers.include_flags), "MPI_LIBS={0}".format(spec["mpi"].libs.ld_flags)]
        if spec.satisfies("+python"):
            args.append("PYTHON={0}".format(spec["python"].command.path))
        return args

    def check(self):
        """The tests that need no device."""
        with working_dir(self.build_directory):
            make("check-fast")

    @run_after("install", when="+python")
    def install_python_package(self):
        """The package, with a link to the library beside it, which it loads."""
        with working_dir(self.build_directory):
            folder = join_path(python_platlib, "clup")
            install_tree(join_path("python", "clup"), folder)
            symlink(join_path(self.prefix.lib, "libclup.so.0"), join_path(folder, "libclup.so.0"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def spins_are_known(self):
        """The serial reference has the spins that every device has."""
        clup = Executable(join_path(self.prefix.bin, "clup"))
        out = clup("simulate", "--size", "256", "--sweeps", "1000", "--reference", output=str)
        assert "ed0a94215123b26eedd86bae767a135886257b1ba1deb4b62cede04213660a18" in out
