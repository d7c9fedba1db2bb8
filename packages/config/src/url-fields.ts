import type { Default, Field } from './field.ts';
import { Expected, single } from './fields.ts';
import { Secret } from './secret.ts';

interface UrlOptions {
  help: string;
  defaultText?: string;
  /** The accepted schemes, each with its colon. */
  protocols: readonly string[];
}

/**
 * The URL of a database, bus or mail server. It contains credentials, so it is a Secret, may also come from
 * `<NAME>_FILE`, and is never shown in a mistake.
 */
export function connectionUrl(name: string, options: UrlOptions): Field<Secret | undefined> {
  return single<Secret>(name, {
    ...options,
    unit: 'URL',
    fromFile: true,
    shown: false,
    parse(text) {
      const url = parseUrl(text, options.protocols);
      return url instanceof Expected ? url : new Secret(text);
    },
  });
}

/** A site's scheme, host and port, without the trailing slash. */
export function origin(
  name: string,
  options: Omit<UrlOptions, 'protocols'> & { default: Default<string> },
): Field<string> {
  return single<string>(name, {
    ...options,
    unit: 'URL',
    shown: withoutCredentials,
    parse: (text) =>
      asOrigin(text) ?? new Expected('an http or https URL without a path, such as https://home.example'),
  }) as Field<string>;
}

/** Normalizes an origin (capitals, international names, trailing slash); undefined for any other text. */
export function asOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\]+\/?$/i.test(text)) return undefined;
  return URL.parse(text)?.origin;
}

/** The rest of a password after a raw slash, # ? or % would be parsed as a host, port or path. */
function parseUrl(text: string, protocols: readonly string[]): URL | Expected {
  const start = `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  const url = URL.parse(text);
  const isOne = url !== null && protocols.includes(url.protocol) && url.host !== '';
  if (isOne && isMeantSo(url)) return url;
  if (!isOne && !text.includes('@')) return new Expected(start);
  return new Expected(
    `${start} and has at most one path segment; encode / # ? @ and % in a password as %2F %23 %3F %40 and %25`,
  );
}

function isMeantSo(url: URL): boolean {
  const segments = url.pathname.split('/').filter(Boolean);
  const behindHost = `${url.pathname}${url.search}${url.hash}`;
  return segments.length <= 1 && url.hash === '' && !behindHost.includes('@') && decodes(url);
}

function decodes({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function withoutCredentials(text: string): boolean {
  return !text.includes('@');
}
