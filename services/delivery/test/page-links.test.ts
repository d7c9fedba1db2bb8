import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind, Scope } from '@hearth/proto/options';
import { failure } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPageLinks, type PageLinks } from '../src/notices/actions/page-links.ts';
import { purgeOpenedLinks } from '../src/notices/db/opened-links.ts';
import { ids, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { startDelivery, type TestDelivery } from './start-delivery.ts';

const path = '/a/apr_0123456789abcdef0123456789abcdef';

let home: TestDelivery;
let world: World;
let ada: KnownPerson;
let links: PageLinks;

beforeEach(async () => {
  ada = newPerson('Ada Lovelace', { app: ids.uuid() });
  world = { people: [ada], ais: [], groups: [], members: new Map() };
  home = await startDelivery({}, standIns(world));
  links = createPageLinks({ sealer: home.sealer, clock: home.clock });
});
afterEach(() => home.stop());

const tokenOf = (link: string) => new URL(link, 'http://localhost').searchParams.get('t') ?? '';
const issue = (person = ada.id, to = path) => tokenOf(links.issue({ id: person, app: ada.app }, to));
const open = async (token: string, to = path) => (await home.openLink({ token, path: to })).viewer;

describe('a link in a notice', () => {
  test('opens its page once, for reading only', async () => {
    const link = links.issue(ada, path);
    expect(link).toMatch(/^\/a\/apr_[0-9a-f]{32}\?t=[\w-]{60,300}$/);
    expect(await open(tokenOf(link))).toMatchObject({
      kind: CallerKind.PERSON,
      id: ada.id,
      name: 'Ada Lovelace',
      scopes: [Scope.READ],
      session: '',
      app: '',
      authenticatedAt: 0n,
    });
    expect(await open(tokenOf(link))).toBeUndefined();
    expect(await open(issue())).toBeDefined();
  });

  test('opens once for concurrent requests and equivalent spellings', async () => {
    const token = issue();
    const written = [token, token, token.replace(/.$/, sameBits)];
    const opened = await Promise.all(written.map((each) => open(each)));
    expect(opened.filter((viewer) => viewer !== undefined)).toHaveLength(1);
  });

  test('works for a quarter of an hour', async () => {
    const [early, late] = [issue(), issue()];
    home.clock.advance(15 * minute - second);
    expect(await open(early)).toBeDefined();
    home.clock.advance(second);
    expect(await open(late)).toBeUndefined();
  });

  test('opens no other page, and made-up links open nothing', async () => {
    const token = issue();
    expect(await open(token, '/a/apr_1')).toBeUndefined();
    expect(await open(token, `${path}/`)).toBeUndefined();
    const other = home.sealer.seal(Buffer.from(`per_1 ${home.clock.now() + minute} ${path}`), 'another');
    const wrong = ['', 'x', 'a'.repeat(2_000), `${token}AAAA`, token.slice(0, -4), token.replace(/^./, 'B')];
    for (const each of [...wrong, other.toString('base64url'), '%00'])
      expect(await open(each)).toBeUndefined();
    // None of these used up the link.
    expect(await open(token)).toBeDefined();
  });

  test('does not work for a deleted person, or one that the notified app no longer holds', async () => {
    const [one, two, three] = [issue(), issue(), issue(ids.uuid())];
    ada.app = '';
    expect(await open(one)).toBeUndefined();
    ada.app = ids.uuid();
    expect(await open(two)).toBeUndefined();
    expect(await open(three)).toBeUndefined();
  });

  test('does not work for a suspended person', async () => {
    ada.suspendedUntil = timestampFromDate(new Date(home.clock.now() + minute));
    const token = issue();
    expect(await open(token)).toBeUndefined();
    home.clock.advance(minute);
    expect(await open(token)).toBeDefined();
  });

  test('names a person under 18 by their short name', async () => {
    ada.ageBand = AgeBand.TEEN16;
    expect(await open(issue())).toMatchObject({ name: 'Ada L.', minor: true });
  });

  test('is deleted once it has expired', async () => {
    await open(issue());
    const left = () => home.database.db.query(sql`select hash from delivery.opened_links`);
    await home.database.statement((tx) => purgeOpenedLinks(tx, new Date(home.clock.now() + 15 * minute)));
    expect(await left()).toHaveLength(1);
    await home.database.statement((tx) => purgeOpenedLinks(tx, new Date(home.clock.now() + 16 * minute)));
    expect(await left()).toEqual([]);
  });
});

test('only the gateway can open links', async () => {
  expect(await failure(home.linksInward.openLink({ token: issue(), path }))).toBe('forbidden no_permission');
});

/** Returns another last character for the same bytes, where base64 has unused bits. */
function sameBits(last: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(last) ^ 1] ?? last;
}
