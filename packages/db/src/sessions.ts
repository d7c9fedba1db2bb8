import { internal } from '@hearth/errors';

/**
 * Postgres ends a session that is idle for this long, so that a machine that is gone keeps neither locks nor
 * connections.
 */
export const forgottenAfterMs = 60_000;

/**
 * Settings that the home relies on, and that an administrator may have changed for the database or role (`alter role
 * ... set`). Connection settings override those. Only settings that every user may change are here; checkServer checks
 * the rest.
 */
const needed: Readonly<Record<string, string>> = {
  idle_session_timeout: String(forgottenAfterMs),
  // Statements of requests have their own timeouts; a migration may take any time.
  statement_timeout: '0',
  lock_timeout: '0',
  search_path: 'public',
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  row_security: 'on',
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
};

/**
 * Returns the address with the settings of the home's sessions, after those in its `options`.
 *
 * @param further settings of this connection only
 */
export function withSessionSettings(url: string, further: Readonly<Record<string, string>> = {}): string {
  const address = new URL(checkedUrl(url));
  const settings = Object.entries({ ...needed, ...further }).map(([name, value]) => `-c ${name}=${value}`);
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', [given, ...settings].filter(Boolean).join(' '));
  return address.href;
}

/** The URL never goes into the message: it holds the password. */
function checkedUrl(url: string): string {
  if (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw internal('DATABASE_URL should look like postgres://user:password@host:5432/name');
}
