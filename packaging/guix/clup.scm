;; SPDX-License-Identifier: BSD-3-Clause
;; clup for Guix, from a checkout:
;;     guix build -f packaging/guix/clup.scm
;;     guix shell -f packaging/guix/clup.scm pocl -- clup simulate --size 256
(use-modules (guix build-system gnu)
             (guix gexp)
             (guix git-download)
             ((guix licenses) #:prefix license:)
             (guix packages)
             (guix utils)
             (gnu packages autotools)
             (gnu packages compression)
             (gnu packages image)
             (gnu packages libffi)
             (gnu packages maths)
             (gnu packages opencl)
             (gnu packages pkg-config)
             (gnu packages python)
             (gnu packages python-xyz)
             (gnu packages tls)
             (gnu packages web))

(define checkout
  (dirname (dirname (dirname (current-filename)))))

(package
  (name "clup")
  (version "0.1.0")
  (source (local-file checkout "clup-checkout"
                      #:recursive? #t
                      #:select? (or (git-predicate checkout)
                                    (const #t))))
  (build-system gnu-build-system)
  (arguments
   (list
    #:phases
    #~(modify-phases %standard-phases
        ;; the tests that need no device
        (replace 'check
          (lambda* (#:key tests? #:allow-other-keys)
            (when tests?
              (invoke "make" "check-fast"))))
        (add-after 'install 'install-python-package
          (lambda _
            (let* ((version #$(version-major+minor
                               (package-version (this-package-input "python"))))
                   (folder (string-append #$output "/lib/python" version
                                          "/site-packages/clup")))
              (copy-recursively "python/clup" folder)
              ;; the package loads the library that is beside it
              (symlink (string-append #$output "/lib/libclup.so.0")
                       (string-append folder "/libclup.so.0"))))))))
  (native-inputs
   (list autoconf automake libtool pkg-config))
  (inputs
   (list hdf5 jansson libjpeg-turbo libpng libtiff ocl-icd opencl-headers
         openssl python zlib))
  (propagated-inputs
   (list python-cffi python-numpy))
  ;; a release has no home of its own yet
  (home-page #f)
  (synopsis "Clusters of lattices and images on any OpenCL device")
  (description
   "clup simulates Potts, Ising, clock, XY and Heisenberg models, draws samples
of percolation, and labels the connected components of images, volumes and
graphs, on any OpenCL device.  The same seed gives the same spins, bit for bit,
on every device.")
  (license license:bsd-3))
