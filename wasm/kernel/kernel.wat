;; The matrix-vector product of planning.MulVec, bit for bit, on the memory of
;; the Go program that calls it: dst[i] = Σ_k matrix[rows[i]·n + k] · v[k].
;; Lanes 0 and 1 are in $a, lanes 2 and 3 in $b; nothing is fused.
(module
  (import "go" "mem" (memory 1))
  (func (export "mul")
    (param $dst i32) (param $matrix i32) (param $v i32) (param $rows i32)
    (param $count i32) (param $n i32)
    (local $end i32) (local $whole i32) (local $rest i32)
    (local $row i32) (local $u i32) (local $stop i32)
    (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $dst) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $whole (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 3)))
    (local.set $rest (i32.and (local.get $n) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $dst) (local.get $end)))
        (local.set $row
          (i32.add (local.get $matrix)
            (i32.shl (i32.mul (i32.load (local.get $rows)) (local.get $n)) (i32.const 3))))
        (local.set $u (local.get $v))
        (local.set $stop (i32.add (local.get $v) (local.get $whole)))
        (local.set $a (v128.const f64x2 0 0))
        (local.set $b (v128.const f64x2 0 0))
        (block $summed
          (loop $more
            (br_if $summed (i32.ge_u (local.get $u) (local.get $stop)))
            (local.set $a (f64x2.add (local.get $a)
              (f64x2.mul (v128.load (local.get $row)) (v128.load (local.get $u)))))
            (local.set $b (f64x2.add (local.get $b)
              (f64x2.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $u)))))
            (local.set $row (i32.add (local.get $row) (i32.const 32)))
            (local.set $u (i32.add (local.get $u) (i32.const 32)))
            (br $more)))
        ;; The last n mod 4 terms, lane by lane.
        (if (i32.ge_u (local.get $rest) (i32.const 1)) (then
          (local.set $a (f64x2.replace_lane 0 (local.get $a)
            (f64.add (f64x2.extract_lane 0 (local.get $a))
              (f64.mul (f64.load (local.get $row)) (f64.load (local.get $u))))))))
        (if (i32.ge_u (local.get $rest) (i32.const 2)) (then
          (local.set $a (f64x2.replace_lane 1 (local.get $a)
            (f64.add (f64x2.extract_lane 1 (local.get $a))
              (f64.mul (f64.load offset=8 (local.get $row)) (f64.load offset=8 (local.get $u))))))))
        (if (i32.ge_u (local.get $rest) (i32.const 3)) (then
          (local.set $b (f64x2.replace_lane 0 (local.get $b)
            (f64.add (f64x2.extract_lane 0 (local.get $b))
              (f64.mul (f64.load offset=16 (local.get $row)) (f64.load offset=16 (local.get $u))))))))
        (local.set $a (f64x2.add (local.get $a) (local.get $b)))
        (f64.store (local.get $dst)
          (f64.add (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a))))
        (local.set $dst (i32.add (local.get $dst) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $next)))))
