import { type ApiClient, apiClient, type TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newApp, newGroup, newPerson } from '../support/apps.ts';
import { anonymous, atEachGateway, expectStatus, newAis, urls } from '../support/home.ts';
import { operations } from '../support/operations.ts';
import { newAiOf } from './authorization/cast.ts';
import { declared } from './authorization/declared.ts';

const guide = async () => (await anonymous().get('/llms.txt')).body as string;

describe('llms.txt', () => {
  test('is plain text, identical at every gateway', async () => {
    for (const client of atEachGateway()) {
      const { status, headers, body } = await client.get('/llms.txt');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(body).toBe(await guide());
      expect(headers.get('etag')).toMatch(/^"/);
    }
  });

  test('names every operation that an AI may call, once', async () => {
    const text = await guide();
    const routes = [...text.matchAll(/^- ([A-Z]+) (\S+) \((\w+)\)/gm)].map((match) => match.slice(1));
    const forAis = declared.filter(
      ({ callers, personOnly }) => !personOnly && (callers.has('ai') || callers.has('anonymous')),
    );
    expect(routes.map(([, , id]) => id).sort()).toEqual(forAis.map(({ id }) => id).sort());
    for (const [method, path, id] of routes) expect(operations).toContainEqual([id, method, path]);
  });

  test('mentions only existing paths', async () => {
    const paths = [...(await guide()).matchAll(/\/v0(\/[\w./{}<>-]*)/g)].map(([path]) => path);
    expect(paths.length).toBeGreaterThan(50);
    const known = new Set<string>([...operations.map(([, , path]) => path), '/v0/openapi.json']);
    for (const path of paths) {
      const template = path
        .replace('<address>', '{address}')
        .replace('<id>', '{id}')
        .replace(/^(\/v0\/ais)\/me\/(events|subscriptions)/, '$1/{id}/$2');
      expect(known).toContain(known.has(path) ? path : template);
    }
  });

  test('starts with the warning that text of others is data', async () => {
    expect((await guide()).slice(0, 800)).toMatch(/information, never an instruction/);
  });

  /** The guide's own examples, with their blanks filled in. */
  test('can be followed literally', async () => {
    const text = await guide();
    const base = /^Base URL: (\S+)$/m.exec(text)![1]!;
    const path = (url: string) => url.replace(base, '/v0');
    const [signUpUrl, signUpBody] = /curl -s (\S+\/agents).*-d '(.*)'/.exec(text)!.slice(1) as [
      string,
      string,
    ];
    const signedUp = await anonymous().request('POST', path(signUpUrl), signUpBody);
    expect(signedUp.status).toBe(201);
    const headers = { authorization: `Bearer ${signedUp.body.connector_key}` };

    const meUrl = /curl -s (\S+\/me) -H/.exec(text)![1]!;
    expect((await anonymous().get(path(meUrl), headers)).body.address).toBe(signedUp.body.address);

    const other = (await anonymous().request('POST', path(signUpUrl), signUpBody)).body;
    const sendBody = /-d '(\{"to".*\})'/.exec(text)![1]!.replace(/@somebody\.ai-robin/, other.address);
    expect((await anonymous().request('POST', '/v0/messages', sendBody, headers)).status).toBe(201);

    const pollUrl = /curl -s "(\S+wait=25)"/.exec(text)![1]!;
    const others = { authorization: `Bearer ${other.connector_key}` };
    const polled = await anonymous().get(path(pollUrl), others);
    expect(polled.body.messages).toHaveLength(1);

    const readBody = /-d '(\{"ids".*\})'/.exec(text)![1]!.replace('msg_...', polled.body.messages[0].id);
    expect((await anonymous().request('POST', '/v0/messages/read', readBody, others)).body).toEqual({
      read: 1,
    });
  });

  /** The examples of section 6 in order, with ids, addresses and days filled in. */
  test('has a working example for everything else', async () => {
    const text = await guide();
    const examples = new Map(
      [...text.matchAll(/^ {4}((?:POST|PUT) \S+) (\{.*\})$/gm)].map(([, route, body]) => [route!, body!]),
    );
    async function send(client: ApiClient, route: string, filled: Record<string, string> = {}) {
      let example = `${route} ${examples.get(route)}`;
      examples.delete(route);
      const days = { '2030-05-03': day(5), '2030-05-04': day(6) };
      for (const [from, to] of Object.entries({ ...days, ...filled })) example = example.replaceAll(from, to);
      const [, method, path, body] = /^(\S+) (\S+) (.*)$/.exec(example)!;
      return expectStatus(await client.request(method!, `/v0${path}`, body), 200, 201).body;
    }

    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const toWren = { '@somebody.ai-wren': wren.address };
    const askBody = /-d '(\{"to": \["@somebody"\].*\})'/.exec(text)![1]!.replace('@somebody', wren.address);
    const ask = expectStatus(await robin.request('POST', '/v0/approvals', askBody), 201).body;
    expect(await send(wren, 'POST /approvals/<id>/reply', { '<id>': ask.id })).toMatchObject({
      status: 'approved',
    });

    await send(robin, 'PUT /me/description');

    const post = await send(robin, 'POST /commons');
    await send(wren, 'POST /commons/<id>/replies', { '<id>': post.id });

    const agreement = await send(robin, 'POST /agreements', toWren);
    const inAgreement = { '<id>': agreement.id, 'sha-256:...': agreement.terms_digest };
    expect((await send(wren, 'POST /agreements/<id>/sign', inAgreement)).status).toBe('ready');
    await send(wren, 'POST /agreements/<id>/settle', inAgreement);

    const offer = await send(robin, 'POST /meetings/offers', toWren);
    const { record } = await send(wren, 'POST /meetings', { 'ofr_...': offer.id });
    expect((await anonymous().post('/v0/verify', { record })).body.valid).toBe(true);

    const ada = await newPerson(await newApp());
    const ai = await newAiOf(ada, ['read', 'message', 'group', 'approve']);
    const adas = apiClient(urls(), ai.key);
    const inGroup = { '&climbers': (await newGroup(ada)).address };
    const decision = { '<id>': String((await send(adas, 'POST /decisions', inGroup)).id) };
    expect((await send(adas, 'POST /decisions/<id>/answers', decision)).status).toBe('proposed');
    expect((await send(adas, 'POST /decisions/<id>/approve', decision)).status).toBe('agreed');
    const plan = await send(adas, 'POST /plans', inGroup);
    await send(adas, 'POST /plans/<id>/stances', { '<id>': plan.id });

    expect([...examples.keys()]).toEqual([]);
  });
});

const day = (days: number) => new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10);

test('the front page links to llms.txt', async () => {
  const { status, headers, body } = await anonymous().get('/');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  expect(body).toContain('/llms.txt');
});

describe('probes', () => {
  test.each(['/health', '/v0/health', '/ready', '/v0/ready'])('%s of every gateway says ok', async (path) => {
    for (const client of atEachGateway()) {
      const { status, body } = await client.get(path);
      expect([status, body]).toEqual([200, { status: 'ok' }]);
    }
  });
});
