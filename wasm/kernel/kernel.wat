;; Inner loops of an episode on the memory of the Go program that calls them, with
;; the bits of their twins in Go (core/internal/loops, whose names stand here).
;;
;; A WebAssembly program can import only what is there before it, and this module
;; needs the program's memory. So it is instantiated twice over one table: first
;; over any memory, for its exports, which are gates that call through the table and
;; which the program imports; then over the program's memory, which puts the
;; functions for that memory into the table. No call passes through JavaScript.
(module
  (import "go" "mem" (memory 1))
  (import "go" "table" (table 9 funcref))
  (elem (i32.const 0) $mul $tally $fill $scale $joint $distance $improve $contend $halve)

  ;; The gates.
  (type $of6 (func (param i32 i32 i32 i32 i32 i32)))
  (type $of13 (func (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (func (export "mul") (type $of6)
    (call_indirect (type $of6) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (local.get 5) (i32.const 0)))
  (func (export "tally") (type $of13)
    (call_indirect (type $of13) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (local.get 5) (local.get 6) (local.get 7) (local.get 8) (local.get 9)
      (local.get 10) (local.get 11) (local.get 12) (i32.const 1)))
  (type $of5to1 (func (param i32 i32 i32 i32 i32) (result i32)))
  (type $of3 (func (param i32 i32 i32)))
  (type $of4 (func (param i32 i32 i32 i32)))
  (type $of3to1 (func (param i32 i32 i32) (result f64)))
  (func (export "fill") (type $of5to1)
    (call_indirect (type $of5to1) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (i32.const 2)))
  (func (export "scale") (type $of3)
    (call_indirect (type $of3) (local.get 0) (local.get 1) (local.get 2) (i32.const 3)))
  (func (export "joint") (type $of4)
    (call_indirect (type $of4) (local.get 0) (local.get 1) (local.get 2) (local.get 3) (i32.const 4)))
  (func (export "distance") (type $of3to1)
    (call_indirect (type $of3to1) (local.get 0) (local.get 1) (local.get 2) (i32.const 5)))
  (type $of7 (func (param i32 i32 i32 i32 i32 i32 i32)))
  (type $of7to1 (func (param i32 i32 i32 i32 i32 f64 f64) (result i32)))
  (func (export "improve") (type $of7)
    (call_indirect (type $of7) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (local.get 5) (local.get 6) (i32.const 6)))
  (func (export "contend") (type $of7to1)
    (call_indirect (type $of7to1) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (local.get 5) (local.get 6) (i32.const 7)))
  (type $of9 (func (param i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (func (export "halve") (type $of9)
    (call_indirect (type $of9) (local.get 0) (local.get 1) (local.get 2) (local.get 3)
      (local.get 4) (local.get 5) (local.get 6) (local.get 7) (local.get 8) (i32.const 8)))

  ;; MulVec: dst[i] = Σ_k matrix[rows[i]·n + k] · v[k]. Lanes 0 and 1 are
  ;; in $a, lanes 2 and 3 in $b; nothing is fused.
  (func $mul
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
        (br $next))))

  ;; Tally: for step t and set k, with the row of rows[points[t]·stride + k]
  ;; and y = outcomes[t],
  ;;   evidence[k] += logs[counts[row·size + y]++] − logsTotal[totals[row]++].
  ;; A row from height on traps.
  (func $tally
    (param $evidence i32) (param $sets i32) (param $stride i32) (param $counts i32) (param $totals i32) (param $height i32)
    (param $rows i32) (param $points i32) (param $outcomes i32) (param $steps i32)
    (param $logs i32) (param $logsTotal i32) (param $size i32)
    (local $end i32) (local $row i32) (local $last i32) (local $e i32) (local $at i32) (local $y i32)
    (local $total i32) (local $n i32)
    (local.set $end (i32.add (local.get $points) (i32.shl (local.get $steps) (i32.const 2))))
    (local.set $sets (i32.shl (local.get $sets) (i32.const 2)))
    (local.set $stride (i32.shl (local.get $stride) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $points) (local.get $end)))
        (local.set $at (i32.add (local.get $rows)
          (i32.mul (i32.load (local.get $points)) (local.get $stride))))
        (local.set $last (i32.add (local.get $at) (local.get $sets)))
        (local.set $y (i32.add (local.get $counts) (i32.shl (i32.load (local.get $outcomes)) (i32.const 2))))
        (local.set $e (local.get $evidence))
        (loop $set
          (local.set $row (i32.load (local.get $at)))
          (if (i32.ge_u (local.get $row) (local.get $height)) (then (unreachable)))
          (local.set $n (i32.add (local.get $y)
            (i32.shl (i32.mul (local.get $row) (local.get $size)) (i32.const 2))))
          (local.set $total (i32.add (local.get $totals) (i32.shl (local.get $row) (i32.const 2))))
          (f64.store (local.get $e)
            (f64.add (f64.load (local.get $e))
              (f64.sub
                (f64.load (i32.add (local.get $logs) (i32.shl (i32.load (local.get $n)) (i32.const 3))))
                (f64.load (i32.add (local.get $logsTotal) (i32.shl (i32.load (local.get $total)) (i32.const 3)))))))
          (i32.store (local.get $n) (i32.add (i32.load (local.get $n)) (i32.const 1)))
          (i32.store (local.get $total) (i32.add (i32.load (local.get $total)) (i32.const 1)))
          (local.set $e (i32.add (local.get $e) (i32.const 8)))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br_if $set (i32.lt_u (local.get $at) (local.get $last))))
        (local.set $points (i32.add (local.get $points) (i32.const 4)))
        (local.set $outcomes (i32.add (local.get $outcomes) (i32.const 4)))
        (br $next))))

  ;; Fill, n being the length of dst, which stops at the tail of the ziggurat
  ;; and where the two bounds of the density below do not decide. 3 is the largest
  ;; count whose gamma is a sum of exponentials. A state is Xoshiro's four
  ;; numbers, a layer Layer: width (f64), inside (i64), low and high (f64).
  (func $fill
    (param $dst i32) (param $counts i32) (param $n i32) (param $state i32) (param $layers i32) (result i32)
    (local $i i32) (local $more i32) (local $layer i32) (local $sum f64) (local $u i64)
    (local $up f64) (local $left f64)
    (local $s0 i64) (local $s1 i64) (local $s2 i64) (local $s3 i64)
    (local $t0 i64) (local $t1 i64) (local $t2 i64) (local $t3 i64) (local $shifted i64)
    (local.set $t0 (i64.load (local.get $state)))
    (local.set $t1 (i64.load offset=8 (local.get $state)))
    (local.set $t2 (i64.load offset=16 (local.get $state)))
    (local.set $t3 (i64.load offset=24 (local.get $state)))
    (block $stop
      (loop $next
        ;; $t is the state after the draws of all cells so far, $s also of this one.
        (br_if $stop (i32.ge_u (local.get $i) (local.get $n)))
        (local.set $more (i32.load (local.get $counts)))
        (if (i32.gt_u (local.get $more) (i32.const 3)) (then
          (i64.store (local.get $state) (local.get $t0))
          (i64.store offset=8 (local.get $state) (local.get $t1))
          (i64.store offset=16 (local.get $state) (local.get $t2))
          (i64.store offset=24 (local.get $state) (local.get $t3))
          (f64.store (local.get $dst) (call $gamma (local.get $state)
            (f64.add (f64.convert_i32_u (local.get $more)) (f64.const 1))))
          (local.set $t0 (i64.load (local.get $state)))
          (local.set $t1 (i64.load offset=8 (local.get $state)))
          (local.set $t2 (i64.load offset=16 (local.get $state)))
          (local.set $t3 (i64.load offset=24 (local.get $state)))
          (local.set $dst (i32.add (local.get $dst) (i32.const 8)))
          (local.set $counts (i32.add (local.get $counts) (i32.const 4)))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $next)))
        (local.set $s0 (local.get $t0))
        (local.set $s1 (local.get $t1))
        (local.set $s2 (local.get $t2))
        (local.set $s3 (local.get $t3))
        (local.set $sum (f64.const 0))
        (loop $again
          (local.set $u (i64.mul (i64.rotl (i64.mul (local.get $s1) (i64.const 5)) (i64.const 7)) (i64.const 9)))
          (local.set $shifted (i64.shl (local.get $s1) (i64.const 17)))
          (local.set $s2 (i64.xor (local.get $s2) (local.get $s0)))
          (local.set $s3 (i64.xor (local.get $s3) (local.get $s1)))
          (local.set $s1 (i64.xor (local.get $s1) (local.get $s2)))
          (local.set $s0 (i64.xor (local.get $s0) (local.get $s3)))
          (local.set $s2 (i64.xor (local.get $s2) (local.get $shifted)))
          (local.set $s3 (i64.rotl (local.get $s3) (i64.const 45)))
          (local.set $layer (i32.add (local.get $layers)
            (i32.shl (i32.and (i32.wrap_i64 (local.get $u)) (i32.const 255)) (i32.const 5))))
          (local.set $u (i64.shr_u (local.get $u) (i64.const 11)))
          (if (i64.ge_u (local.get $u) (i64.load offset=8 (local.get $layer))) (then
            (br_if $stop (i32.eq (local.get $layer) (local.get $layers))) ;; the tail
            (i64.store (local.get $state) (local.get $s0))
            (i64.store offset=8 (local.get $state) (local.get $s1))
            (i64.store offset=16 (local.get $state) (local.get $s2))
            (i64.store offset=24 (local.get $state) (local.get $s3))
            (local.set $up (call $float (local.get $state)))
            (local.set $s0 (i64.load (local.get $state)))
            (local.set $s1 (i64.load offset=8 (local.get $state)))
            (local.set $s2 (i64.load offset=16 (local.get $state)))
            (local.set $s3 (i64.load offset=24 (local.get $state)))
            ;; The point is $left of the layer's outer edge, in units of its width,
            ;; and $up of the way from low to high. The density is convex: above
            ;; its chord is a new draw, below its tangent at the outer edge is this
            ;; one, and what is between or within rounding is for Go.
            (local.set $left (f64.convert_i64_s (i64.sub (i64.const 0x20000000000000) (local.get $u))))
            (br_if $again (f64.gt (local.get $up) (f64.add (f64.const 1e-9)
              (f64.div (local.get $left) (f64.convert_i64_s
                (i64.sub (i64.const 0x20000000000000) (i64.load offset=8 (local.get $layer))))))))
            (br_if $stop (f64.ge
              (f64.mul (local.get $up) (f64.sub (f64.load offset=24 (local.get $layer)) (f64.load offset=16 (local.get $layer))))
              (f64.mul (f64.load offset=16 (local.get $layer))
                (f64.sub (f64.mul (local.get $left) (f64.load (local.get $layer))) (f64.const 1e-9)))))))
          (local.set $sum (f64.add (local.get $sum)
            (f64.mul (f64.convert_i64_s (local.get $u)) (f64.load (local.get $layer)))))
          (local.set $more (i32.sub (local.get $more) (i32.const 1)))
          (br_if $again (i32.ge_s (local.get $more) (i32.const 0))))
        (f64.store (local.get $dst) (local.get $sum))
        (local.set $t0 (local.get $s0))
        (local.set $t1 (local.get $s1))
        (local.set $t2 (local.get $s2))
        (local.set $t3 (local.get $s3))
        (local.set $dst (i32.add (local.get $dst) (i32.const 8)))
        (local.set $counts (i32.add (local.get $counts) (i32.const 4)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i64.store (local.get $state) (local.get $t0))
    (i64.store offset=8 (local.get $state) (local.get $t1))
    (i64.store offset=16 (local.get $state) (local.get $t2))
    (i64.store offset=24 (local.get $state) (local.get $t3))
    (local.get $i))

  ;; posterior.Gamma of shape $n, above 4.
  (func $gamma (param $state i32) (param $n f64) (result f64)
    (local $d f64) (local $c f64) (local $x f64) (local $y f64) (local $v f64) (local $u f64)
    (local.set $d (f64.sub (local.get $n) (f64.const 0x1.5555555555555p-2)))
    (local.set $c (f64.div (f64.const 1) (f64.sqrt (f64.mul (f64.const 9) (local.get $d)))))
    (loop $again
      ;; $x is normal by the polar method.
      (local.set $x (f64.sub (f64.mul (f64.const 2) (call $float (local.get $state))) (f64.const 1)))
      (local.set $y (f64.sub (f64.mul (f64.const 2) (call $float (local.get $state))) (f64.const 1)))
      (local.set $v (f64.add (f64.mul (local.get $x) (local.get $x)) (f64.mul (local.get $y) (local.get $y))))
      (br_if $again (i32.eqz (i32.and
        (f64.gt (local.get $v) (f64.const 0)) (f64.lt (local.get $v) (f64.const 1)))))
      (local.set $x (f64.mul (local.get $x)
        (f64.sqrt (f64.div (f64.mul (f64.const -2) (call $log (local.get $v))) (local.get $v)))))
      (local.set $v (f64.add (f64.const 1) (f64.mul (local.get $c) (local.get $x))))
      (br_if $again (f64.le (local.get $v) (f64.const 0)))
      (local.set $v (f64.mul (f64.mul (local.get $v) (local.get $v)) (local.get $v)))
      (local.set $u (f64.sub (f64.const 1) (call $float (local.get $state))))
      (local.set $x (f64.mul (local.get $x) (local.get $x)))
      (if (f64.lt (local.get $u) (f64.sub (f64.const 1)
            (f64.mul (f64.const 0.0331) (f64.mul (local.get $x) (local.get $x)))))
        (then (return (f64.mul (local.get $d) (local.get $v)))))
      (br_if $again (i32.eqz (f64.lt (call $log (local.get $u))
        (f64.add (f64.mul (f64.const 0.5) (local.get $x))
          (f64.mul (local.get $d)
            (f64.add (f64.sub (f64.const 1) (local.get $v)) (call $log (local.get $v)))))))))
    (f64.mul (local.get $d) (local.get $v)))

  ;; rand.Float64 of Xoshiro.
  (func $float (param $state i32) (result f64)
    (local $s0 i64) (local $s1 i64) (local $s2 i64) (local $s3 i64)
    (local.set $s0 (i64.load (local.get $state)))
    (local.set $s1 (i64.load offset=8 (local.get $state)))
    (local.set $s2 (i64.xor (i64.load offset=16 (local.get $state)) (local.get $s0)))
    (local.set $s3 (i64.xor (i64.load offset=24 (local.get $state)) (local.get $s1)))
    (i64.store (local.get $state) (i64.xor (local.get $s0) (local.get $s3)))
    (i64.store offset=8 (local.get $state) (i64.xor (local.get $s1) (local.get $s2)))
    (i64.store offset=16 (local.get $state) (i64.xor (local.get $s2) (i64.shl (local.get $s1) (i64.const 17))))
    (i64.store offset=24 (local.get $state) (i64.rotl (local.get $s3) (i64.const 45)))
    (f64.mul (f64.const 0x1p-53) (f64.convert_i64_s (i64.and (i64.const 0x1fffffffffffff)
      (i64.mul (i64.rotl (i64.mul (local.get $s1) (i64.const 5)) (i64.const 7)) (i64.const 9))))))

  ;; math.Log of a positive normal number, operation by operation.
  (func $log (param $x f64) (result f64)
    (local $bits i64) (local $k f64) (local $s f64) (local $s2 f64) (local $s4 f64) (local $half f64)
    (local.set $bits (i64.reinterpret_f64 (local.get $x)))
    ;; x = f·2^k, ½ ≤ f < 1
    (local.set $k (f64.convert_i64_s (i64.sub (i64.shr_u (local.get $bits) (i64.const 52)) (i64.const 1022))))
    (local.set $x (f64.reinterpret_i64 (i64.or (i64.const 0x3fe0000000000000)
      (i64.and (local.get $bits) (i64.const 0x000fffffffffffff)))))
    (if (f64.lt (local.get $x) (f64.const 0x1.6a09e667f3bcdp-1)) (then ;; √½
      (local.set $x (f64.mul (local.get $x) (f64.const 2)))
      (local.set $k (f64.sub (local.get $k) (f64.const 1)))))
    (local.set $x (f64.sub (local.get $x) (f64.const 1)))
    (local.set $s (f64.div (local.get $x) (f64.add (f64.const 2) (local.get $x))))
    (local.set $s2 (f64.mul (local.get $s) (local.get $s)))
    (local.set $s4 (f64.mul (local.get $s2) (local.get $s2)))
    (local.set $half (f64.mul (f64.mul (f64.const 0.5) (local.get $x)) (local.get $x)))
    (f64.sub
      (f64.mul (local.get $k) (f64.const 6.93147180369123816490e-01))
      (f64.sub
        (f64.sub (local.get $half)
          (f64.add
            (f64.mul (local.get $s) (f64.add (local.get $half)
              (f64.add
                (f64.mul (local.get $s2) (f64.add (f64.const 6.666666666666735130e-01)
                  (f64.mul (local.get $s4) (f64.add (f64.const 2.857142874366239149e-01)
                    (f64.mul (local.get $s4) (f64.add (f64.const 1.818357216161805012e-01)
                      (f64.mul (local.get $s4) (f64.const 1.479819860511658591e-01))))))))
                (f64.mul (local.get $s4) (f64.add (f64.const 3.999999999940941908e-01)
                  (f64.mul (local.get $s4) (f64.add (f64.const 2.222219843214978396e-01)
                    (f64.mul (local.get $s4) (f64.const 1.531383769920937332e-01)))))))))
            (f64.mul (local.get $k) (f64.const 1.90821492927058770002e-10))))
        (local.get $x))))

  ;; ScaleRows: count rows of an even number of columns.
  (func $scale (param $dst i32) (param $count i32) (param $size i32)
    (local $at i32) (local $end i32) (local $sum f64) (local $sums v128) (local $uniform v128)
    (local.set $uniform (f64x2.splat (f64.div (f64.const 1) (f64.convert_i32_u (local.get $size)))))
    (local.set $size (i32.shl (local.get $size) (i32.const 3)))
    (loop $row
      (local.set $end (i32.add (local.get $dst) (local.get $size)))
      (local.set $sum (f64.const 0))
      (local.set $at (local.get $dst))
      (loop $add
        (local.set $sum (f64.add (local.get $sum) (f64.load (local.get $at))))
        (local.set $sum (f64.add (local.get $sum) (f64.load offset=8 (local.get $at))))
        (br_if $add (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
      (local.set $sums (f64x2.splat (local.get $sum)))
      (local.set $at (local.get $dst))
      (if (f64.gt (local.get $sum) (f64.const 0))
        (then
          (loop $divide
            (v128.store (local.get $at) (f64x2.div (v128.load (local.get $at)) (local.get $sums)))
            (br_if $divide (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
        (else
          (loop $same
            (v128.store (local.get $at) (local.get $uniform))
            (br_if $same (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))))
      (local.set $dst (local.get $end))
      (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; fmdp.Joint where every variable has two values: of each the factors at $factors
  ;; tell where its table is, and where the row of every point.
  (func $joint (param $dst i32) (param $points i32) (param $factors i32) (param $end i32)
    (local $x i32) (local $f i32) (local $n i32) (local $from i32) (local $to i32) (local $p v128)
    (loop $point
      (f64.store (local.get $dst) (f64.const 1))
      (local.set $n (i32.const 8)) ;; bytes of the law so far
      (local.set $f (local.get $factors))
      (loop $factor
        (local.set $p (v128.load (i32.add (i32.load (local.get $f))
          (i32.shl (i32.load (i32.add (i32.load offset=4 (local.get $f)) (local.get $x))) (i32.const 4)))))
        (local.set $from (i32.add (local.get $dst) (local.get $n)))
        (local.set $to (i32.add (local.get $from) (local.get $n)))
        (loop $entry
          (local.set $to (i32.sub (local.get $to) (i32.const 16)))
          (v128.store (local.get $to) (f64x2.mul (local.get $p)
            (v128.load64_splat (local.tee $from (i32.sub (local.get $from) (i32.const 8))))))
          (br_if $entry (i32.gt_u (local.get $from) (local.get $dst))))
        (local.set $n (i32.shl (local.get $n) (i32.const 1)))
        (br_if $factor (i32.lt_u (local.tee $f (i32.add (local.get $f) (i32.const 8))) (local.get $end))))
      (local.set $dst (i32.add (local.get $dst) (local.get $n)))
      (local.set $x (i32.add (local.get $x) (i32.const 4)))
      (br_if $point (local.tee $points (i32.sub (local.get $points) (i32.const 1))))))

  ;; Distance: Σ |p[i] − q[i]| in four lanes; n is a multiple of 4.
  (func $distance (param $p i32) (param $q i32) (param $n i32) (result f64)
    (local $end i32) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 3))))
    (loop $more
      (local.set $a (f64x2.add (local.get $a) (f64x2.abs
        (f64x2.sub (v128.load (local.get $p)) (v128.load (local.get $q))))))
      (local.set $b (f64x2.add (local.get $b) (f64x2.abs
        (f64x2.sub (v128.load offset=16 (local.get $p)) (v128.load offset=16 (local.get $q))))))
      (local.set $q (i32.add (local.get $q) (i32.const 32)))
      (br_if $more (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 32))) (local.get $end))))
    (local.set $a (f64x2.add (local.get $a) (local.get $b)))
    (f64.add (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a))))

  ;; Improve of an even number of actions, 32 at most. The least and the
  ;; largest growth go to $growth.
  (func $improve
    (param $rule i32) (param $v i32) (param $q i32) (param $last i32)
    (param $states i32) (param $actions i32) (param $growth i32)
    (local $at i32) (local $a i32) (local $found i32)
    (local $best f64) (local $d f64) (local $lo f64) (local $hi f64) (local $most v128)
    (local.set $lo (f64.const inf))
    (local.set $hi (f64.const -inf))
    (loop $state
      (local.set $most (v128.load (local.get $q)))
      (local.set $a (i32.const 0))
      (local.set $at (local.get $q))
      (loop $action
        (local.set $most (f64x2.pmax (local.get $most) (v128.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $action (i32.lt_u (local.tee $a (i32.add (local.get $a) (i32.const 2))) (local.get $actions))))
      (local.set $most (f64x2.pmax (local.get $most) (i64x2.splat (i64x2.extract_lane 1 (local.get $most)))))
      (local.set $most (i64x2.splat (i64x2.extract_lane 0 (local.get $most))))
      ;; A bit for each action with the largest value, the first as the lowest.
      (local.set $found (i32.const 0))
      (loop $action
        (local.set $a (i32.sub (local.get $a) (i32.const 2)))
        (local.set $at (i32.sub (local.get $at) (i32.const 16)))
        (local.set $found (i32.or
          (i32.shl (i64x2.bitmask (f64x2.eq (v128.load (local.get $at)) (local.get $most))) (local.get $a))
          (local.get $found)))
        (br_if $action (local.get $a)))
      (if (i32.eqz (local.get $found)) (then (unreachable))) ;; not a number
      (i32.store (local.get $rule) (local.tee $a (i32.ctz (local.get $found))))
      (f64.store (local.get $v)
        (local.tee $best (f64.load (i32.add (local.get $q) (i32.shl (local.get $a) (i32.const 3))))))
      (local.set $d (f64.sub (local.get $best) (f64.load (local.get $last))))
      (if (f64.lt (local.get $d) (local.get $lo)) (then (local.set $lo (local.get $d))))
      (if (f64.gt (local.get $d) (local.get $hi)) (then (local.set $hi (local.get $d))))
      (local.set $q (i32.add (local.get $q) (i32.shl (local.get $actions) (i32.const 3))))
      (local.set $rule (i32.add (local.get $rule) (i32.const 4)))
      (local.set $v (i32.add (local.get $v) (i32.const 8)))
      (local.set $last (i32.add (local.get $last) (i32.const 8)))
      (br_if $state (local.tee $states (i32.sub (local.get $states) (i32.const 1)))))
    (f64.store (local.get $growth) (local.get $lo))
    (f64.store offset=8 (local.get $growth) (local.get $hi)))

  ;; Contend of an even number of actions.
  (func $contend
    (param $points i32) (param $q i32) (param $v i32) (param $states i32) (param $actions i32)
    (param $lo f64) (param $hi f64) (result i32)
    (local $first i32) (local $x i32) (local $end i32) (local $below i32)
    (local $best f64) (local $reach f64) (local $bounds v128) (local $line v128)
    (local.set $first (local.get $points))
    (loop $state
      (local.set $reach (f64.add (local.tee $best (f64.load (local.get $v))) (local.get $lo)))
      (local.set $line (f64x2.splat (f64.sub (local.get $reach)
        (f64.mul (f64.const 1e-9) ;; Margin
          (f64.add (f64.add (f64.const 1) (f64.abs (local.get $reach))) (f64.abs (local.get $best)))))))
      (local.set $end (i32.add (local.get $q) (i32.shl (local.get $actions) (i32.const 3))))
      (loop $action
        (v128.store (local.get $q)
          (local.tee $bounds (f64x2.add (v128.load (local.get $q)) (f64x2.splat (local.get $hi)))))
        (local.set $below (i64x2.bitmask (f64x2.lt (local.get $bounds) (local.get $line))))
        ;; Each is written, and the next takes its place unless it is to stay.
        (i32.store (local.get $points) (local.get $x))
        (local.set $points (i32.add (local.get $points)
          (i32.shl (i32.eqz (i32.and (local.get $below) (i32.const 1))) (i32.const 2))))
        (i32.store (local.get $points) (i32.add (local.get $x) (i32.const 1)))
        (local.set $points (i32.add (local.get $points)
          (i32.shl (i32.lt_u (local.get $below) (i32.const 2)) (i32.const 2))))
        (local.set $x (i32.add (local.get $x) (i32.const 2)))
        (br_if $action (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 16))) (local.get $end))))
      (local.set $v (i32.add (local.get $v) (i32.const 8)))
      (br_if $state (local.tee $states (i32.sub (local.get $states) (i32.const 1)))))
    (i32.shr_u (i32.sub (local.get $points) (local.get $first)) (i32.const 2)))

  ;; Halve of count blocks. A source above lastBlock or a row above lastRow
  ;; traps.
  (func $halve
    (param $after i32) (param $before i32) (param $p i32) (param $source i32) (param $row i32)
    (param $count i32) (param $rest i32) (param $lastBlock i32) (param $lastRow i32)
    (local $lo i32) (local $hi i32) (local $end i32) (local $p0 v128) (local $p1 v128)
    (local.set $rest (i32.shl (local.get $rest) (i32.const 3)))
    (loop $block
      (local.set $lo (i32.load (local.get $source)))
      (local.set $hi (i32.load (local.get $row)))
      (if (i32.or (i32.gt_u (local.get $lo) (local.get $lastBlock)) (i32.gt_u (local.get $hi) (local.get $lastRow)))
        (then (unreachable)))
      (local.set $p0 (v128.load64_splat (local.tee $hi
        (i32.add (local.get $p) (i32.shl (local.get $hi) (i32.const 3))))))
      (local.set $p1 (v128.load64_splat offset=8 (local.get $hi)))
      (local.set $lo (i32.add (local.get $before) (i32.shl (local.get $lo) (i32.const 3))))
      (local.set $hi (i32.add (local.get $lo) (local.get $rest)))
      (local.set $end (i32.add (local.get $after) (local.get $rest)))
      (if (i32.and (local.get $rest) (i32.const 8)) (then
        (f64.store (local.get $after) (f64.add
          (f64.mul (f64x2.extract_lane 0 (local.get $p0)) (f64.load (local.get $lo)))
          (f64.mul (f64x2.extract_lane 0 (local.get $p1)) (f64.load (local.get $hi)))))
        (local.set $after (i32.add (local.get $after) (i32.const 8)))
        (local.set $lo (i32.add (local.get $lo) (i32.const 8)))
        (local.set $hi (i32.add (local.get $hi) (i32.const 8)))))
      (block $whole
        (loop $pair
          (br_if $whole (i32.ge_u (local.get $after) (local.get $end)))
          (v128.store (local.get $after) (f64x2.add
            (f64x2.mul (local.get $p0) (v128.load (local.get $lo)))
            (f64x2.mul (local.get $p1) (v128.load (local.get $hi)))))
          (local.set $after (i32.add (local.get $after) (i32.const 16)))
          (local.set $lo (i32.add (local.get $lo) (i32.const 16)))
          (local.set $hi (i32.add (local.get $hi) (i32.const 16)))
          (br $pair)))
      (local.set $source (i32.add (local.get $source) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $block (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
