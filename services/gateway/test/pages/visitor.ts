import { expect } from '@jest/globals';
import { type Answered, ask } from '../support/request.ts';

export interface Page extends Answered {
  /** The path that it was opened at. */
  path: string;
}

/** A person with a browser without scripts: keeps cookies, fills in forms, and follows no redirect by itself. */
export interface Visitor {
  cookies: Map<string, string>;
  open(path: string): Promise<Page>;
  /** Submits the page's form to `action`, with its hidden fields and `fields`. */
  send(page: Page, action: string, fields?: Fields): Promise<Page>;
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Page>;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export function visitor(url: string, cookies: Record<string, string> = {}): Visitor {
  const jar = new Map(Object.entries(cookies));

  async function go(path: string, asking: Parameters<typeof ask>[2] = {}): Promise<Page> {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...asking.headers };
    const answered = await ask(url, path, { ...asking, headers });
    for (const line of (answered.headers['set-cookie'] ?? []) as unknown as string[]) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return { ...answered, path };
  }

  function post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) body.append(name, value);
    const type = 'application/x-www-form-urlencoded';
    return go(path, { method: 'POST', body: body.toString(), headers: { 'content-type': type, ...headers } });
  }

  return {
    cookies: jar,
    open: (path) => go(path),
    post,
    send(page, action, fields = {}) {
      const form = page.text.split('<form ').find((part) => part.includes(`action="${action}"`));
      if (form === undefined) throw new Error(`${page.path} has no form to ${action}`);
      const [inside = ''] = form.split('</form>');
      const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
      return post(action, {
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
        ...fields,
      });
    },
  };
}

/** The cursor in a link of the page, for the place that the service returned. */
export function cursorIn({ text }: Pick<Page, 'text'>, parameter: string, place: string): string {
  return new RegExp(`[?;]${parameter}=([\\w-]{16}${place})"`).exec(text)?.[1] ?? 'none';
}

/** The visible text of a page, in one line. */
export function wordsOf({ text }: Page): string {
  const [, main = ''] = text.split('<main');
  return main
    .replace(/<\/?(bdi|code|strong|span|time)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
}

/** The CSRF token of the page's forms. */
export const csrfOf = ({ text }: Page): string => /name="csrf" value="([^"]*)"/.exec(text)![1]!;

/** The ticked values under a name. */
export function tickedOf({ text }: Page, name: string): string[] {
  return [...text.matchAll(new RegExp(`name="${name}" value="([^"]*)" checked`, 'g'))].map(
    ([, value]) => value!,
  );
}

/** Expects the page to have that status and these texts. */
export function expectPage(page: Page, status: number, ...texts: string[]): void {
  for (const text of texts)
    expect([page.status, wordsOf(page)]).toEqual([status, expect.stringContaining(text)]);
}

export function expectWords(page: Page, ...texts: string[]): void {
  const words = wordsOf(page);
  for (const text of texts) expect(words).toContain(text);
}

/** Expects a redirect to the sign-in that leads on to `next`. */
export function expectSignIn({ status, headers }: Page, next: string): void {
  expect([status, headers.location]).toEqual([303, `/in?${new URLSearchParams({ next })}`]);
}
