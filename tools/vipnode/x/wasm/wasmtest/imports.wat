;; A module that imports a function that no chain has.
(module
  (import "env" "nothing" (func (param i32)))
  (memory (export "memory") 1)
  (func (export "interface_version_8"))
  (func (export "allocate") (param i32) (result i32) (i32.const 0))
  (func (export "deallocate") (param i32))
  (func (export "instantiate") (param i32 i32 i32) (result i32) (i32.const 0)))
