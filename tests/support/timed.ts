/** The index of the promise that settles first. */
export const firstOf = (works: readonly Promise<unknown>[]): Promise<number> =>
  Promise.race(works.map((work, place) => work.then(() => place)));

/** The result of `work`, and how long it took in milliseconds. */
export async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work;
  return { result, ms: performance.now() - began };
}
