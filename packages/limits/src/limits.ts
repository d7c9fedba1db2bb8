import { HearthError } from '@hearth/errors';
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
  return !(declared[name] as LimitDeclaration).fixed && !declaredOnFields.has(name);
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
  const relaxed = setting === 'relaxed';
  if (relaxed && !homeName.startsWith('localhost')) {
    throw new HearthError(
      'bad_request',
      `HEARTH_LIMITS=relaxed is for a home named localhost, not for ${homeName}`,
    );
  }
  const given = setting === undefined || setting === 'relaxed' ? {} : setting;
  const mistakes: string[] = [];
  const limits = Object.fromEntries(
    Object.entries(declared as Record<string, LimitDeclaration>).map(([name, { value, ...rest }]) => {
      const values = typeof value === 'number' ? everyone(value) : { ...value };
      // Relaxed lifts rates, not sizes: what fits into a field or a body stays as it is.
      const lifted = relaxed && isSettable(name as LimitName) && name !== 'body_bytes';
      return [
        name,
        {
          name,
          ...rest,
          ...(!isSettable(name as LimitName) && { fixed: true }),
          values: lifted ? everyone(null) : values,
        },
      ];
    }),
  ) as Record<LimitName, Limit>;

  for (const [name, value] of Object.entries(given)) {
    if (!(name in declared))
      mistakes.push(`there is no limit "${name}"; the limits are ${settable().join(', ')}`);
    else if (!isSettable(name as LimitName)) mistakes.push(`${name} is fixed and cannot be set`);
    else
      Object.assign(limits, {
        [name]: {
          ...limits[name as LimitName],
          values: override(limits[name as LimitName], value, mistakes),
        },
      });
  }
  if (mistakes.length > 0) throw new HearthError('bad_request', `HEARTH_LIMITS: ${mistakes.join('; ')}`);
  return limits;
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
