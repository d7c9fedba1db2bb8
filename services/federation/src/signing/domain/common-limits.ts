import type { Limits } from '@hearth/limits';

/** Returns the limits with one value for every kind of caller, by name; limits without a bound are left out. */
export function commonLimits(limits: Limits): Record<string, number> {
  const common: Record<string, number> = {};
  for (const { name, values } of Object.values(limits)) {
    const bound = values.anyone;
    if (bound !== null && Object.values(values).every((value) => value === bound)) common[name] = bound;
  }
  return common;
}
