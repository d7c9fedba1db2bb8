import type { Default, Field } from './field.ts';
import { Expected, single } from './fields.ts';
import { Secret } from './secret.ts';

interface UrlOptions {
  help: string;
  defaultText?: string;
  /** The schemes that are taken, each with its colon. */
  protocols: readonly string[];
}

/**
 * Where a database, a bus or a mail server is, credentials and all: hence a Secret, and hence also
 * taken from `<NAME>_FILE`. A mistake never shows the value.
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

/** Scheme, host and port of a site and nothing after them; without the closing slash. */
export function origin(
  name: string,
  options: Omit<UrlOptions, 'protocols'> & { default: Default<string> },
): Field<string> {
  return single<string>(name, {
    ...options,
    unit: 'URL',
    shown: withoutCredentials,
    parse: (text) =>
      asOrigin(text) ?? new Expected('an http or https URL without path, such as https://home.example'),
  }) as Field<string>;
}

/** The origin that `text` writes (a closing slash is forgiven), or undefined. */
export function asOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return text === url.origin || text === `${url.origin}/` ? url.origin : undefined;
}

function parseUrl(text: string, protocols: readonly string[]): URL | Expected {
  const url = URL.parse(text);
  if (url !== null && protocols.includes(url.protocol) && url.host !== '') return url;
  return new Expected(`a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
}

function withoutCredentials(text: string): boolean {
  return !text.includes('@');
}
