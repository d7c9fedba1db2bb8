import { type Clock, day, hour, minute, second } from '@hearth/clock';
import { UsageError } from './failure.ts';

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day };

/**
 * Reads a moment from an option: ISO 8601, a day (UTC), or a time ago (or from now) such as 90s, 30m, 6h, 2d.
 *
 * @throws UsageError
 */
export function readMoment(
  option: string,
  text: string,
  { now }: Clock,
  way: 'ago' | 'ahead' = 'ago',
): string {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago !== null) {
    const far = Number(ago[1]) * (units[ago[2] as string] as number);
    return new Date(way === 'ago' ? now() - far : now() + far).toISOString();
  }
  const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(
    text,
  )
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(moment)) {
    throw new UsageError(
      `--${option} is "${text}"; expected a time such as 2026-03-01T12:00:00Z, or a duration ${way === 'ago' ? 'before' : 'from'} now such as 6h or 2d`,
    );
  }
  return new Date(moment).toISOString();
}
