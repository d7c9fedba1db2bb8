/** A page as a browser without scripts sees it. */
export interface WebPage {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** A browser without scripts. It keeps cookies by path, fills in forms and follows redirects within the site. */
export interface WebVisitor {
  /** Opens a page, follows redirects within the site, and returns the last response. */
  open(url: string): Promise<WebPage>;
  /** Submits the page's form for `action`, with its hidden fields and the given values. */
  send(page: WebPage, action: string, fields?: Fields): Promise<WebPage>;
  post(path: string, fields: Fields): Promise<WebPage>;
  cookies(): string[];
  /** Sets a cookie that the site did not set, as an attacker would. */
  plant(name: string, value: string): void;
  cookie(name: string): string | undefined;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

const mostRedirects = 10;

/**
 * @param site the home's public origin
 * @param gateways where it is served; used in turn, as behind a load balancer
 * @param always the headers of every request
 */
export function webVisitor(
  site: string,
  gateways: readonly string[] = [site],
  always: Readonly<Record<string, string>> = {},
): WebVisitor {
  let turn = 0;

  const jar = new Map<string, { name: string; value: string; path: string }>();

  function keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
      const gone = /; *max-age=0/i.test(line) || /; *expires=Thu, 01 Jan 1970/i.test(line);
      if (gone) jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { name, value, path });
    }
  }

  async function go(url: string, init: RequestInit = {}): Promise<WebPage> {
    let target = new URL(url, site);
    let asking = init;
    for (let redirects = 0; ; redirects += 1) {
      const cookie = [...jar.values()]
        .filter(
          ({ path }) => target.pathname === path || target.pathname.startsWith(path.replace(/\/?$/, '/')),
        )
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
      const headers = { ...always, ...(asking.headers as object), ...(cookie !== '' && { cookie }) };
      turn += 1;
      const served = new URL(`${target.pathname}${target.search}`, gateways[turn % gateways.length]);
      const answer = await fetch(served, { ...asking, headers, redirect: 'manual' });
      keep(answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      const next = location === null ? undefined : new URL(location, target);
      if (next === undefined || next.origin !== site || redirects === mostRedirects) {
        return {
          url: target.href,
          status: answer.status,
          headers: answer.headers,
          text: await answer.text(),
        };
      }
      await answer.body?.cancel();
      target = next;
      asking = {};
    }
  }

  function post(path: string, fields: Fields): Promise<WebPage> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) body.append(name, value);
    return go(path, { method: 'POST', body });
  }

  return {
    open: (url) => go(url),
    post,
    send(page, action, fields = {}) {
      const form = page.text.split('<form ').find((part) => part.includes(`action="${action}"`));
      if (form === undefined)
        throw new Error(`${page.url} (${page.status}) has no form to ${action}: ${page.text}`);
      const [inside = ''] = form.split('</form>');
      const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
      const carried = Object.fromEntries(hidden.map(([, name, value]) => [name, unescapeHtml(value!)]));
      return post(action, { ...carried, ...fields });
    },
    cookies: () => [...jar.values()].map(({ name }) => name),
    plant: (name, value) => jar.set(`${name} /`, { name, value, path: '/' }),
    cookie: (name) => [...jar.values()].find((each) => each.name === name)?.value,
  };
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** The visible text of a page, in one line. */
export function wordsOf({ text }: WebPage): string {
  const [, main = ''] = text.split('<main');
  return unescapeHtml(
    main.replace(/<\/?(bdi|code|strong|span|time)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '),
  ).replace(/\s+/g, ' ');
}

/** The code in the last mail to an address that a home without a mail server logged. */
export function codeFor(lines: readonly string[], email: string): string {
  const mail = lines.findLast((line) => line.includes(`"to":"${email}"`) && line.includes('sign_in_code'));
  const [, first, second] = /(\d{3}) (\d{3})/.exec((JSON.parse(mail ?? '{}').text as string) ?? '') ?? [];
  if (first === undefined) throw new Error(`no mail with digits was sent to ${email}`);
  return `${first}${second}`;
}

/** Signs in by email, which creates the account the first time. Returns the page that follows. */
export async function signInByEmail(
  visitor: WebVisitor,
  lines: readonly string[],
  email: string,
  { next, name = 'Ada Lovelace', year = '1990' }: { next?: string; name?: string; year?: string } = {},
): Promise<WebPage> {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  const begin = await visitor.open(`/in${query}`);
  const code = await visitor.send(begin, '/in/email', { email });
  const after = await visitor.send(code, '/in/code', { code: codeFor(lines, email) });
  if (!after.text.includes('action="/in/account"')) return after;
  const fields = { name, birth_month: '12', birth_year: year, time_zone: 'Europe/London' };
  return await visitor.send(after, '/in/account', fields);
}
