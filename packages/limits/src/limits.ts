import {
  type CallerKind,
  callerKinds,
  declaredSizes,
  declaredUses,
  type FixedName,
  type LimitName,
  type SizeDeclaration,
  type SizeName,
  type UseDeclaration,
  type UseName,
} from './declared.ts';

export interface Limit {
  name: LimitName;
  /** The meaning of the bound, in words for callers. */
  meaning: string;
  unit: string;
  /** The window in which it counts; absent for what is counted at once and for a size. */
  windowSeconds?: number;
  /** The protocol's own: no operator can change it. */
  fixed?: true;
  /** The protocol's own bounds for these kinds of caller, which no operator can go beyond. */
  most?: Readonly<Partial<Record<CallerKind, number>>>;
  /** Where a caller's uses of it are counted. */
  counted?: UseDeclaration['counted'];
  /** How large a thing may be, and the same for every caller, the operator too. */
  size?: true;
  /** For each kind of caller; null is no bound. */
  values: Readonly<Record<CallerKind, number | null>>;
}

/** The limits of a home, by name. */
export type Limits = Readonly<Record<LimitName, Limit>>;

/** The bound for that kind of caller; null when there is none. */
export function limitFor(limits: Limits, name: LimitName, kind: CallerKind): number | null {
  return limits[name].values[kind];
}

export function sizeOf(limits: Limits, name: SizeName): number {
  return limits[name].values.anyone as number;
}

/** Every size, by name: the bounds with which requests are read (packages/proto-json). */
export function sizesOf(limits: Limits): ReadonlyMap<string, number> {
  const names = Object.keys(declaredSizes) as SizeName[];
  return new Map(names.map((name) => [name, sizeOf(limits, name)]));
}

/** The sizes that are the same at every home. */
export const fixed = Object.fromEntries(
  Object.entries<SizeDeclaration>(declaredSizes).flatMap((entry) =>
    entry[1].fixed ? [[entry[0], entry[1].value]] : [],
  ),
) as Readonly<Record<FixedName, number>>;

/** The limits of a home that sets none. */
export function limitsAsDeclared(): Record<LimitName, Limit> {
  const uses = Object.entries(declaredUses).map(([name, use]) => [name, useLimit(name as UseName, use)]);
  const sizes = Object.entries(declaredSizes).map(([name, size]) => [
    name,
    sizeLimit(name as SizeName, size),
  ]);
  return Object.fromEntries([...uses, ...sizes]) as Record<LimitName, Limit>;
}

function useLimit(name: UseName, { value, ...rest }: UseDeclaration): Limit {
  return { name, ...rest, values: typeof value === 'number' ? everyone(value) : value };
}

function sizeLimit(name: SizeName, { meaning, unit, value, fixed }: SizeDeclaration): Limit {
  return { name, meaning, unit, ...(fixed && { fixed }), size: true, values: everyone(value) };
}

/** The same value for every kind of caller. */
export function everyone(value: number | null): Record<CallerKind, number | null> {
  return Object.fromEntries(callerKinds.map((kind) => [kind, value])) as Record<CallerKind, number | null>;
}
