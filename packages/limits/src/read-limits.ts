import { isLocalhostName } from '@hearth/config';
import { HearthError } from '@hearth/errors';
import { nearest } from '@hearth/proto-json';
import {
  type CallerKind,
  callerKinds,
  declaredSizes,
  type LimitName,
  type SizeDeclaration,
  type SizeName,
} from './declared.ts';
import { everyone, type Limit, type Limits, limitsAsDeclared, sizeOf } from './limits.ts';

/** The most bytes of a call between services, and so of one page of a list. */
const longestPageBytes = 8 * 1_024 * 1_024;

/**
 * Applies HEARTH_LIMITS: `relaxed`, which lifts limits on frequency and concurrency as far as the protocol
 * allows, or values by name such as `{"writes_a_minute": {"unclaimed": 60}, "message_text_characters":
 * 2000}`; null lifts a limit, except a size.
 *
 * @throws bad_request listing all mistakes
 */
export function readLimits(
  setting: 'relaxed' | Readonly<Record<string, unknown>> | undefined,
  { homeName }: { homeName: string },
): Limits {
  const limits = limitsAsDeclared();
  if (setting === undefined) return limits;
  if (setting === 'relaxed') return relaxed(limits, homeName);
  const mistakes: string[] = [];
  for (const [name, value] of Object.entries(setting)) {
    if (!isLimitName(name, limits)) mistakes.push(unknownLimit(name, limits));
    else if (limits[name].fixed) mistakes.push(`${name} is fixed and cannot be set`);
    else limits[name] = { ...limits[name], values: valuesOf(limits[name], value, mistakes) };
  }
  mistakes.push(...misfits(limits));
  if (mistakes.length > 0) throw new HearthError('bad_request', `HEARTH_LIMITS: ${mistakes.join('; ')}`);
  return limits;
}

function relaxed(limits: Limits, homeName: string): Limits {
  if (!isLocalhostName(homeName)) {
    throw new HearthError(
      'bad_request',
      `HEARTH_LIMITS=relaxed is for a home named localhost, not for ${homeName}`,
    );
  }
  const lifted = Object.values(limits).map((limit) =>
    limit.size || limit.fixed ? limit : { ...limit, values: { ...everyone(null), ...limit.most } },
  );
  return Object.fromEntries(lifted.map((limit) => [limit.name, limit])) as Limits;
}

function isLimitName(name: string, limits: Limits): name is LimitName {
  return Object.hasOwn(limits, name);
}

function valuesOf(limit: Limit, value: unknown, mistakes: string[]): Limit['values'] {
  return limit.size ? sizeValues(limit, value, mistakes) : useValues(limit, value, mistakes);
}

function sizeValues({ name, values }: Limit, value: unknown, mistakes: string[]): Limit['values'] {
  const { most = Number.MAX_SAFE_INTEGER } = sizeDeclaration(name as SizeName);
  if (isWhole(value) && value >= 1 && value <= most) return everyone(value);
  const range = most === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${most}`;
  mistakes.push(`${name} must be one whole number ${range}: it is the same for every caller`);
  return values;
}

function useValues(limit: Limit, value: unknown, mistakes: string[]): Limit['values'] {
  if (isBound(value)) return withinMost(limit, everyone(value));
  if (typeof value !== 'object' || value === null) {
    mistakes.push(
      `${limit.name} must be a whole number of at least 0, null for no bound, or an object by kind of caller`,
    );
    return limit.values;
  }
  const values = { ...limit.values };
  for (const [kind, bound] of Object.entries(value)) {
    if (!callerKinds.includes(kind as CallerKind)) {
      mistakes.push(`${limit.name}.${kind}: the kinds of caller are ${callerKinds.join(', ')}`);
    } else if (!isBound(bound)) {
      mistakes.push(`${limit.name}.${kind} must be a whole number of at least 0, or null for no bound`);
    } else if (bound !== withinMost(limit, everyone(bound))[kind as CallerKind]) {
      mistakes.push(`${limit.name}.${kind} can be at most ${limit.most?.[kind as CallerKind]}`);
    } else values[kind as CallerKind] = bound;
  }
  return values;
}

/** Caps the values at the protocol's maximums. */
function withinMost({ most = {} }: Limit, values: Limit['values']): Limit['values'] {
  const within = Object.entries(most).map(([kind, highest]) => [
    kind,
    Math.min(values[kind as CallerKind] ?? highest, highest),
  ]);
  return { ...values, ...Object.fromEntries(within) };
}

function isBound(value: unknown): value is number | null {
  return value === null || (isWhole(value) && value >= 0);
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** Sizes that are valid on their own but not together. */
function misfits(limits: Limits): string[] {
  const body = sizeOf(limits, 'body_bytes');
  const page = sizeOf(limits, 'page_entries');
  const names = Object.keys(declaredSizes) as SizeName[];
  const tooLarge = names.filter((name) => sizeDeclaration(name).inBody && sizeOf(limits, name) > body);
  return [
    ...tooLarge.map(
      (name) =>
        `${name} is ${sizeOf(limits, name)} and cannot be reached with a body_bytes of ${body}; set one of them`,
    ),
    ...(page * body > longestPageBytes
      ? [
          `page_entries times body_bytes is ${page * body}, and a page has at most ${longestPageBytes} bytes; set one of them lower`,
        ]
      : []),
  ];
}

function sizeDeclaration(name: SizeName): SizeDeclaration {
  return declaredSizes[name];
}

function unknownLimit(name: string, limits: Limits): string {
  const settable = Object.values(limits).flatMap((limit) => (limit.fixed ? [] : [limit.name]));
  const near = nearest(name, settable);
  const advice = near === null ? `the limits are ${settable.join(', ')}` : `did you mean ${near}?`;
  return `there is no limit "${name}"; ${advice}`;
}
