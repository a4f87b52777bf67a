;; A handwritten contract that counts and, on request, does what no contract should. The third character of a message
;; selects what: {"count":{}} and so on.
(module
  (import "env" "db_read" (func $db_read (param i32) (result i32)))
  (import "env" "db_write" (func $db_write (param i32 i32)))
  (import "env" "query_chain" (func $query_chain (param i32) (result i32)))
  (memory (export "memory") 2)
  (global $free (mut i32) (i32.const 65536))

  ;; Regions of constant bytes: where they start, how much there is, how much of it is used.
  (data (i32.const 0) "\80\00\00\00\01\00\00\00\01\00\00\00")   ;; the key
  (data (i32.const 16) "\90\00\00\00\01\00\00\00\01\00\00\00")  ;; the value
  (data (i32.const 32) "\a0\00\00\00\40\00\00\00\3e\00\00\00")  ;; the response of a call
  (data (i32.const 48) "\e0\00\00\00\10\00\00\00\0d\00\00\00")  ;; the answer to a query
  (data (i32.const 64) "\f0\00\00\00\10\00\00\00\07\00\00\00")  ;; not JSON
  (data (i32.const 80) "\00\00\00\00\ff\ff\ff\7f\ff\ff\ff\7f")  ;; outside the memory
  (data (i32.const 96) "\00\01\00\00\40\00\00\00\1f\00\00\00")  ;; a query of the staking module
  (data (i32.const 128) "n")
  (data (i32.const 160) "{\"ok\":{\"messages\":[],\"attributes\":[],\"events\":[],\"data\":null}}")
  (data (i32.const 224) "{\"ok\":\"e30=\"}")
  (data (i32.const 240) "{\"ok\":{")
  (data (i32.const 256) "{\"staking\":{\"bonded_denom\":{}}}")

  (func (export "interface_version_8"))

  (func $allocate (export "allocate") (param $size i32) (result i32)
    (local $region i32)
    (local.set $region (global.get $free))
    (global.set $free (i32.add (i32.add (global.get $free) (i32.const 12)) (local.get $size)))
    (if (i32.gt_u (global.get $free) (i32.mul (memory.size) (i32.const 65536)))
      (then (drop (memory.grow (i32.add (i32.div_u (local.get $size) (i32.const 65536)) (i32.const 1))))))
    (i32.store (local.get $region) (i32.add (local.get $region) (i32.const 12)))
    (i32.store offset=4 (local.get $region) (local.get $size))
    (i32.store offset=8 (local.get $region) (i32.const 0))
    (local.get $region))
  (func (export "deallocate") (param i32))

  (func $letter (param $message i32) (result i32)
    (i32.load8_u offset=2 (i32.load (local.get $message))))

  (func $count
    (local $found i32)
    (local.set $found (call $db_read (i32.const 0)))
    (i32.store8 (i32.const 144)
      (if (result i32) (local.get $found)
        (then (i32.add (i32.load8_u (i32.load (local.get $found))) (i32.const 1)))
        (else (i32.const 1))))
    (call $db_write (i32.const 0) (i32.const 16)))

  (func $recurse (param $depth i32) (result i32)
    (i32.add (call $recurse (i32.add (local.get $depth) (i32.const 1))) (local.get $depth)))

  ;; Does what the letter requests and returns a region to answer with, or 0 for the usual answer.
  (func $misbehave (param $letter i32) (result i32)
    (if (i32.eq (local.get $letter) (i32.const 108)) (then (loop $forever (br $forever))))                    ;; l
    (if (i32.eq (local.get $letter) (i32.const 103))                                                        ;; g
      (then (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)))
    (if (i32.eq (local.get $letter) (i32.const 116)) (then (unreachable)))                                  ;; t
    (if (i32.eq (local.get $letter) (i32.const 114)) (then (drop (call $recurse (i32.const 0)))))           ;; r
    (if (i32.eq (local.get $letter) (i32.const 106)) (then (return (i32.const 64))))                        ;; j
    (if (i32.eq (local.get $letter) (i32.const 111)) (then (return (i32.const 80))))                        ;; o
    (if (i32.eq (local.get $letter) (i32.const 112)) (then (return (i32.const 0x7ffffff0))))                ;; p
    (if (i32.eq (local.get $letter) (i32.const 115)) (then (return (call $query_chain (i32.const 96)))))    ;; s
    (i32.const 0))

  (func (export "instantiate") (param $env i32) (param $info i32) (param $message i32) (result i32)
    (i32.const 32))
  (func (export "execute") (param $env i32) (param $info i32) (param $message i32) (result i32)
    (local $answer i32)
    (local.set $answer (call $misbehave (call $letter (local.get $message))))
    (if (local.get $answer) (then (return (local.get $answer))))
    (call $count)
    (i32.const 32))
  (func (export "migrate") (param $env i32) (param $message i32) (result i32)
    (call $count)
    (i32.const 32))
  (func (export "query") (param $env i32) (param $message i32) (result i32)
    (local $answer i32)
    (local.set $answer (call $misbehave (call $letter (local.get $message))))
    (if (local.get $answer) (then (return (local.get $answer))))
    (i32.const 48)))
