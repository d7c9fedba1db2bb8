import { HearthError } from '@hearth/errors';
import { nearest } from '@hearth/proto-json';
import { type CallerKind, callerKinds, declared, type LimitDeclaration, type LimitName } from './declared.ts';

export interface Limit extends Omit<LimitDeclaration, 'value'> {
  name: LimitName;
  /** For each kind of caller; null is no bound. */
  values: Readonly<Record<CallerKind, number | null>>;
}

/** The limits of this home, by name. */
export type Limits = Readonly<Record<LimitName, Limit>>;

/** Sizes that the declarations of fields carry: they hold for every home and are only told here. */
const declaredOnFields: ReadonlySet<LimitName> = new Set([
  'message_text_characters',
  'message_title_characters',
  'message_data_bytes',
  'name_characters',
  'away_note_characters',
  'page_entries',
  'request_id_days',
  'retract_minutes',
  'away_days',
]);

/** What an operator can set. */
function isSettable(name: LimitName): boolean {
  const declaration: LimitDeclaration = declared[name];
  return !declaration.fixed && !declaredOnFields.has(name);
}

/**
 * The limits with what HEARTH_LIMITS sets: `relaxed`, or values by name such as
 * `{"writes_a_minute": {"unclaimed": 60}, "sign_ups_an_hour": 100}`; null lifts a limit.
 *
 * @throws bad_request with every mistake at once
 */
export function readLimits(
  setting: 'relaxed' | Readonly<Record<string, unknown>> | undefined,
  { homeName }: { homeName: string },
): Limits {
  if (setting === 'relaxed' && !homeName.startsWith('localhost')) {
    throw new HearthError(
      'bad_request',
      `HEARTH_LIMITS=relaxed is for a home named localhost, not for ${homeName}`,
    );
  }
  const limits = asDeclared(setting === 'relaxed');
  const given = setting === undefined || setting === 'relaxed' ? {} : setting;
  const mistakes: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!isLimitName(name)) mistakes.push(unknownLimit(name));
    else if (!isSettable(name)) mistakes.push(`${name} is fixed and cannot be set`);
    else limits[name] = { ...limits[name], values: override(limits[name], value, mistakes) };
  }
  if (mistakes.length > 0) throw new HearthError('bad_request', `HEARTH_LIMITS: ${mistakes.join('; ')}`);
  return limits;
}

function asDeclared(relaxed: boolean): Record<LimitName, Limit> {
  const names = Object.keys(declared) as LimitName[];
  return Object.fromEntries(names.map((name) => [name, limitAsDeclared(name, relaxed)])) as Record<
    LimitName,
    Limit
  >;
}

function limitAsDeclared(name: LimitName, relaxed: boolean): Limit {
  const { value, ...rest }: LimitDeclaration = declared[name];
  const values = typeof value === 'number' ? everyone(value) : { ...value };
  if (!isSettable(name)) return { name, ...rest, fixed: true, values };
  // Relaxed lifts rates, not sizes: a body must still fit into memory.
  const lifted = relaxed && name !== 'body_bytes';
  return { name, ...rest, values: lifted ? everyone(null) : values };
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(declared, name);
}

/** The bound for that kind of caller; null when there is none. */
export function limitFor(limits: Limits, name: LimitName, kind: CallerKind): number | null {
  return limits[name].values[kind];
}

function override(limit: Limit, value: unknown, mistakes: string[]): Record<CallerKind, number | null> {
  if (isBound(value)) return everyone(value);
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
    } else values[kind as CallerKind] = bound;
  }
  return values;
}

function isBound(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);
}

function everyone(value: number | null): Record<CallerKind, number | null> {
  return Object.fromEntries(callerKinds.map((kind) => [kind, value])) as Record<CallerKind, number | null>;
}

function settable(): string[] {
  return (Object.keys(declared) as LimitName[]).filter(isSettable);
}

function unknownLimit(name: string): string {
  const near = nearest(name, settable());
  const advice = near === null ? `the limits are ${settable().join(', ')}` : `did you mean ${near}?`;
  return `there is no limit "${name}"; ${advice}`;
}
