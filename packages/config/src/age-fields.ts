import { zoneNamed } from '@hearth/calendar/time-zone';
import type { Field } from './field.ts';
import { Expected, single } from './fields.ts';

/** Age of consent in years by region (two capital letters, as in locales); `default` applies elsewhere. */
export type ConsentAges = Readonly<Record<string, number> & { default: number }>;

const youngest = 13;
const oldest = 16;

/** An IANA time zone, normalized to its usual spelling. */
export function timeZoneField(name: string, options: { help: string; default: string }): Field<string> {
  return single<string>(name, {
    ...options,
    unit: 'time zone',
    parse: (text) => zoneNamed(text) ?? new Expected('an IANA time zone such as Europe/Zurich, or UTC'),
  }) as Field<string>;
}

/** Ages of consent by region, as JSON. */
export function consentAgesField(
  name: string,
  options: { help: string; default: ConsentAges },
): Field<ConsentAges> {
  return single<ConsentAges>(name, {
    ...options,
    defaultText: JSON.stringify(options.default),
    unit: 'JSON',
    parse(text) {
      const ages = parseAges(text);
      return ages === null
        ? new Expected(
            `a JSON object of ages from ${youngest} to ${oldest} by region, such as {"default":16,"US":13}`,
          )
        : { ...options.default, ...ages };
    },
  }) as Field<ConsentAges>;
}

function parseAges(text: string): Record<string, number> | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const entries = Object.entries(given).map(
    ([region, age]) => [region === 'default' ? region : region.toUpperCase(), age as unknown] as const,
  );
  const right = entries.every(([region, age]) => /^(?:default|[A-Z]{2})$/.test(region) && isAge(age));
  return right ? (Object.fromEntries(entries) as Record<string, number>) : null;
}

function isAge(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= youngest && (value as number) <= oldest;
}
