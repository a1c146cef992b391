# SPDX-License-Identifier: BSD-3-Clause
# Checks package.nix without nixpkgs: nix-instantiate --eval --strict packaging/nix/check.nix
# With stand-ins for what nixpkgs has, it evaluates the package in each way and gives what it would build and with what.
let
  named = name: { inherit name; };
  lib = {
    cleanSource = path: path;
    optional = wanted: what: if wanted then [ what ] else [ ];
    optionalString = wanted: text: if wanted then text else "";
    licenses.bsd3 = named "bsd3";
    platforms.linux = [ "x86_64-linux" "aarch64-linux" ];
  };
  python3 = {
    sitePackages = "lib/python3.13/site-packages";
    withPackages = choose: {
      name = "python3-env";
      outPath = "/python3-env";
      paths = choose { cffi = named "cffi"; numpy = named "numpy"; };
    };
  };
  build = options: (import ./package.nix) ({
    inherit lib python3;
    stdenv.mkDerivation = attributes: attributes;
    autoreconfHook = named "autoreconf-hook";
    pkg-config = named "pkg-config";
    hdf5 = named "hdf5";
    jansson = named "jansson";
    libjpeg = named "libjpeg-turbo";
    libpng = named "libpng";
    libtiff = named "libtiff";
    ocl-icd = named "ocl-icd";
    opencl-headers = named "opencl-headers";
    openssl = named "openssl";
    zlib = named "zlib";
    mpi = named "openmpi";
  } // options);
  facts = package: {
    inherit (package) pname version configureFlags postInstall checkTarget;
    needs = map (one: one.name) (package.buildInputs ++ package.nativeBuildInputs);
    sources = builtins.pathExists (package.src + "/configure.ac");
  };
  plain = facts (build { withPython = false; });
  full = facts (build { withMpi = true; });
in
assert plain.sources;
assert plain.configureFlags == [ ] && plain.postInstall == "";
assert builtins.elem "openmpi" full.needs && !builtins.elem "openmpi" plain.needs;
assert full.configureFlags == [ "--with-mpi" "PYTHON=/python3-env/bin/python3" ];
{ inherit plain full; }
