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
  /** The meaning of the limit, in words for callers. */
  meaning: string;
  unit: string;
  /** The window in seconds; absent for a size, or if concurrent uses are limited. */
  windowSeconds?: number;
  /** Fixed by the protocol: operators cannot change it. */
  fixed?: true;
  /** The protocol's own maximums for these kinds of caller, which operators cannot exceed. */
  most?: Readonly<Partial<Record<CallerKind, number>>>;
  /** The component that counts a caller's uses. */
  counted?: UseDeclaration['counted'];
  /** Whether this limits a size, equally for all callers and the operator. */
  size?: true;
  /** By kind of caller; null for no limit. */
  values: Readonly<Record<CallerKind, number | null>>;
}

/** A home's limits by name. */
export type Limits = Readonly<Record<LimitName, Limit>>;

/** The limit for a kind of caller; null if there is none. */
export function limitFor(limits: Limits, name: LimitName, kind: CallerKind): number | null {
  return limits[name].values[kind];
}

export function sizeOf(limits: Limits, name: SizeName): number {
  return limits[name].values.anyone as number;
}

/** All sizes by name: the bounds for reading requests (packages/proto-json). */
export function sizesOf(limits: Limits): ReadonlyMap<string, number> {
  const names = Object.keys(declaredSizes) as SizeName[];
  return new Map(names.map((name) => [name, sizeOf(limits, name)]));
}

/** Sizes that are equal on all homes. */
export const fixed = Object.fromEntries(
  Object.entries<SizeDeclaration>(declaredSizes).flatMap((entry) =>
    entry[1].fixed ? [[entry[0], entry[1].value]] : [],
  ),
) as Readonly<Record<FixedName, number>>;

/** The default limits of a home. */
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
