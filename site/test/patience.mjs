/**
 * How long a browser test waits for what must come, in milliseconds. It is long, because a busy machine is slow and slowness is
 * no failure: beside forty busy programs, a page needed more than two minutes for what takes it two seconds alone.
 */
export const patience = Number(process.env["PATIENCE"] ?? 600_000);
