// What takes long. `./build.sh test` shows each behaviour once; with -long the tests show it for more sizes, themes and
// problems, and a few more tests run.

/** Whether ./build.sh test was called with -long. */
const long = Boolean(process.env["LONG"]);

/** The options of a test that runs only with -long. */
export const onlyLong = long ? {} : { skip: "runs with -long" };

/**
 * Cases that a test goes through: those of every run, and with -long also the others.
 * @template A
 * @template B
 * @param {readonly A[]} always
 * @param {readonly B[]} others
 * @returns {readonly (A | B)[]}
 */
export const cases = (always, others) => (long ? [...always, ...others] : always);
