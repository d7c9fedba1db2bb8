import { callerKinds, type Limits } from '@hearth/limits';

/** The numbers that hold for every kind of caller alike, by name; what has no bound is left out. */
export function commonLimits(limits: Limits): Record<string, number> {
  const common: Record<string, number> = {};
  for (const { name, values } of Object.values(limits)) {
    const bound = values.anyone;
    if (bound !== null && callerKinds.every((kind) => values[kind] === bound)) common[name] = bound;
  }
  return common;
}
