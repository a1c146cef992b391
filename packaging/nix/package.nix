# SPDX-License-Identifier: BSD-3-Clause
# clup for Nix, from a checkout: nix-build packaging/nix, see default.nix
{ lib
, stdenv
, autoreconfHook
, pkg-config
, hdf5
, jansson
, libjpeg
, libpng
, libtiff
, ocl-icd
, opencl-headers
, openssl
, zlib
, mpi
, withMpi ? false
, python3
, withPython ? true
}:

let
  python = python3.withPackages (packages: [ packages.cffi packages.numpy ]);
in
stdenv.mkDerivation rec {
  pname = "clup";
  version = "0.1.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [ autoreconfHook pkg-config ] ++ lib.optional withPython python;
  buildInputs = [ hdf5 jansson libjpeg libpng libtiff ocl-icd opencl-headers openssl zlib ] ++ lib.optional withMpi mpi;

  configureFlags = lib.optional withMpi "--with-mpi"
    ++ lib.optional withPython "PYTHON=${python}/bin/python3";
  enableParallelBuilding = true;

  # the tests that need no device
  doCheck = true;
  checkTarget = "check-fast";

  # the Python package loads the library that is beside it
  postInstall = lib.optionalString withPython ''
    folder=$out/${python3.sitePackages}/clup
    mkdir -p "$folder"
    cp -R python/clup/. "$folder"
    rm -rf "$folder/__pycache__"
    ln -s "$out/lib/libclup.so.0" "$folder/libclup.so.0"
  '';

  meta = {
    description = "Clusters of lattices and images on any OpenCL device";
    license = lib.licenses.bsd3;
    mainProgram = "clup";
    platforms = lib.platforms.linux;
  };
}
