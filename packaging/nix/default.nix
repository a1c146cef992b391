# SPDX-License-Identifier: BSD-3-Clause
# nix-build packaging/nix, with the nixpkgs of the channel; --arg withMpi true for clup-mpi
{ pkgs ? import <nixpkgs> { }, withMpi ? false, withPython ? true }:
pkgs.callPackage ./package.nix { inherit withMpi withPython; }
