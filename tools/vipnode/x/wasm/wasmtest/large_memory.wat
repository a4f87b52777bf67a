;; A module that requests 64 MiB of initial memory.
(module
  (memory (export "memory") 1024)
  (func (export "interface_version_8"))
  (func (export "allocate") (param i32) (result i32) (i32.const 0))
  (func (export "deallocate") (param i32))
  (func (export "instantiate") (param i32 i32 i32) (result i32) (i32.const 0)))
