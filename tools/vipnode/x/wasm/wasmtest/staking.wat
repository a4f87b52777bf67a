;; A contract that declares that it needs staking.
(module
  (memory (export "memory") 1)
  (func (export "requires_staking"))
  (func (export "interface_version_8"))
  (func (export "allocate") (param i32) (result i32) (i32.const 0))
  (func (export "deallocate") (param i32))
  (func (export "instantiate") (param i32 i32 i32) (result i32) (i32.const 0)))
