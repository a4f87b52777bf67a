;; A module without a memory.
(module (func (export "interface_version_8")))
