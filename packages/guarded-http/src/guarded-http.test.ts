import { systemClock } from '@hearth/clock';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGuardedHttp, type GuardedHttp, type GuardedHttpOptions } from './guarded-http.ts';
import { certificate } from './testing/certificate.ts';
import { serveHttp, serveHttps, serveTcp, type TestServer } from './testing/servers.ts';

const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

function started<T extends TestServer>(server: T): T {
  releases.push(() => server.stop());
  return server;
}

function guarded(options: Partial<GuardedHttpOptions>): GuardedHttp {
  const http = createGuardedHttp({ clock: systemClock, ...options });
  releases.push(() => http.close());
  return http;
}

/** A client that may call `server`, and the URL to call. */
function calling(server: TestServer, options: Partial<GuardedHttpOptions> = {}) {
  const url = `http://127.0.0.1:${server.port}`;
  return { url, http: guarded({ devOrigins: [url], ...options }) };
}

const failing = (category: string) => expect.objectContaining({ category });
const never = () => new Promise<never>(() => {});

describe('an answer', () => {
  test('has a status, headers and a body, over a kept-alive connection', async () => {
    const server = started(
      await serveHttp(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        response.setHeader('x-many', ['one', 'two']);
        response.statusCode = 202;
        response.end(
          `${request.method} ${request.url} ${request.headers['x-hook']} ${Buffer.concat(chunks)}`,
        );
      }),
    );
    const { http, url } = calling(server);
    const ask = () =>
      http.request({ method: 'POST', url: `${url}/a?b=c#d`, headers: { 'x-hook': 'h' }, body: '{}' });
    const answer = await ask();
    expect([answer.status, answer.headers['x-many'], String(answer.body)]).toEqual([
      202,
      'one, two',
      'POST /a?b=c h {}',
    ]);
    for (let times = 0; times < 5; times += 1) {
      await new Promise(setImmediate);
      await ask();
    }
    expect(server.connections()).toBe(1);
  });

  test.each([
    ['an idle connection that dies is tried once more at once', 'idle', ['one', 'one', 'two']],
    ['a new connection that dies is not tried again', 'new', ['one']],
    ['one that dies each time fails after the second try', 'each', ['one', 'one', 'two']],
  ])('%s', async (_, dies, seen) => {
    const names = new Map<unknown, string>();
    const asked: string[] = [];
    const nonces: unknown[] = [];
    const server = started(
      await serveHttp((request, response) => {
        nonces.push(request.headers['nonce']);
        if (!names.has(request.socket)) names.set(request.socket, names.size === 0 ? 'one' : 'two');
        asked.push(names.get(request.socket)!);
        const first = asked.length === 1;
        if (first ? dies === 'new' : dies === 'each' || asked.length === 2) request.socket.destroy();
        else response.end('here');
      }),
    );
    const { http, url } = calling(server);
    let tries = 0;
    const headers = () => ({ nonce: `${++tries}` });
    const ask = () => http.request({ method: 'POST', url, body: '{}', headers });
    if (dies === 'new') await expect(ask()).rejects.toEqual(failing('connection'));
    else {
      await ask();
      await new Promise(setImmediate);
      if (dies === 'idle') expect(String((await ask()).body)).toBe('here');
      else await expect(ask()).rejects.toEqual(failing('connection'));
    }
    expect(asked).toEqual(seen);
    expect(nonces).toEqual(seen.map((_, index) => `${index + 1}`));
  });

  test('with a redirect is returned as it is', async () => {
    const asked: (string | undefined)[] = [];
    const server = started(
      await serveHttp((request, response) => {
        asked.push(request.url);
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      }),
    );
    const { http, url } = calling(server);
    const { status, headers } = await http.request({ method: 'GET', url });
    expect([status, headers['location'], asked]).toEqual([302, 'http://127.0.0.1:1/', ['/']]);
  });

  test('over TLS must come from the host that the certificate names', async () => {
    const server = started(await serveHttps((_, response) => response.end('ok')));
    const names = ['hooks.example.com', 'other.example.com'].map((name) => `https://${name}:${server.port}`);
    const resolver = { resolve: async () => ['127.0.0.1'] };
    const trusting = guarded({ devOrigins: names, resolver, ca: certificate });
    expect(String((await trusting.request({ method: 'GET', url: names[0]! })).body)).toBe('ok');
    await expect(trusting.request({ method: 'GET', url: names[1]! })).rejects.toEqual(failing('tls'));
    const other = guarded({ devOrigins: names, resolver });
    await expect(other.request({ method: 'GET', url: names[0]! })).rejects.toEqual(failing('tls'));
    const plain = started(await serveHttp((_, response) => response.end()));
    const url = `https://hooks.example.com:${plain.port}`;
    const mistaken = guarded({ devOrigins: [url], resolver });
    await expect(mistaken.request({ method: 'GET', url })).rejects.toEqual(failing('tls'));
  });

  test("is requested with the caller's headers, except framing headers", async () => {
    const server = started(await serveHttp((_, response) => response.end()));
    const { http, url } = calling(server);
    for (const headers of [{ Host: 'other' }, { 'transfer-encoding': 'chunked' }] as Record<
      string,
      string
    >[]) {
      await expect(http.request({ method: 'GET', url, headers })).rejects.toThrow("not the caller's to set");
    }
    await expect(http.request({ method: 'GET', url, headers: { a: 'b\r\nc: d' } })).rejects.toThrow(
      'cannot be sent',
    );
    expect(server.connections()).toBe(0);
  });
});

describe('a name', () => {
  const url = (port: number) => `https://hooks.example.com:${port}/`;
  let inside: TestServer;
  beforeEach(async () => {
    inside = started(await serveTcp((socket) => socket.resume()));
  });

  test.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:10.0.0.1']],
    [['::ffff:7f00:1']],
    [['64:ff9b::7f00:1']],
    [['::1']],
    [['fd00::1']],
    [['1.1.1.1', '127.0.0.1']],
    [['localhost']],
  ])('that resolves to %j is not connected to', async (addresses) => {
    const http = guarded({ resolver: { resolve: async () => addresses } });
    await expect(http.request({ method: 'GET', url: url(inside.port) })).rejects.toEqual(
      failing('refused_address'),
    );
    expect(inside.connections()).toBe(0);
  });

  test("that resolves to this machine is not connected to, nor is the home's own site", async () => {
    const http = guarded({
      resolver: { resolve: async () => ['8.8.8.8'] },
      self: { home: 'home.example.com', siteUrl: 'https://home.example.com' },
      ownAddresses: () => ['10.0.0.1', '8.8.8.8'],
    });
    for (const host of ['hooks.example.com', 'home.example.com']) {
      await expect(http.request({ method: 'GET', url: `https://${host}/` })).rejects.toEqual(
        failing('refused_address'),
      );
    }
  });

  test('is resolved once per connection, so a changed answer has no effect', async () => {
    // The first answer passes and must be the address connected to, where no server listens.
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
    let lookups = 0;
    const resolver = { resolve: async () => answers[lookups++]! };
    const http = guarded({ resolver });
    const ask = () => http.request({ method: 'GET', url: url(inside.port), timeoutMs: 300 });
    await expect(ask()).rejects.toEqual(
      expect.objectContaining({ category: expect.stringMatching(/timeout|connection/) }),
    );
    expect([lookups, inside.connections()]).toEqual([1, 0]);
    await expect(ask()).rejects.toEqual(failing('refused_address'));
    expect(inside.connections()).toBe(0);
  });

  test('that does not exist, or whose name servers do not answer, is reported', async () => {
    const missing = Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    const unknown = guarded({ resolver: { resolve: () => Promise.reject(missing) } });
    await expect(unknown.request({ method: 'GET', url: url(443) })).rejects.toThrow(
      expect.objectContaining({
        category: 'connection',
        message: expect.stringContaining('could not be resolved'),
      }),
    );
    const failed = Object.assign(new Error('no server'), { code: 'ESERVFAIL' });
    const later = guarded({ resolver: { resolve: () => Promise.reject(failed) } });
    await expect(later.request({ method: 'GET', url: url(443) })).rejects.toThrow(
      expect.objectContaining({
        category: 'lookup',
        message: expect.stringMatching(/could not be looked up now \(ESERVFAIL\); try again later/),
      }),
    );
    const silent = guarded({ resolver: { resolve: never } });
    await expect(silent.request({ method: 'GET', url: url(443), timeoutMs: 100 })).rejects.toEqual(
      failing('timeout'),
    );
    const slow = guarded({ resolver: { resolve: never }, connectTimeoutMs: 100 });
    await expect(slow.request({ method: 'GET', url: url(443) })).rejects.toEqual(failing('timeout'));
  });

  test('that is refused by its text is not resolved', async () => {
    const lookups: string[] = [];
    const resolver = {
      async resolve(hostname: string) {
        lookups.push(hostname);
        return ['127.0.0.1'];
      },
    };
    const http = guarded({ resolver });
    for (const bad of [
      'https://localhost/',
      'http://example.com/',
      'https://127.0.0.1/',
      'https://a@b.example/',
    ]) {
      await expect(http.request({ method: 'GET', url: bad })).rejects.toEqual(failing('refused_address'));
      expect(() => http.check(bad)).toThrow(failing('refused_address'));
    }
    expect(lookups).toEqual([]);
  });
});

describe('a hostile server', () => {
  test('that closes at once, or does not speak HTTP, is a failed connection', async () => {
    for (const words of ['', 'hello\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc']) {
      const server = started(await serveTcp((socket) => socket.end(words)));
      const { http, url } = calling(server);
      await expect(http.request({ method: 'POST', url, body: 'x' })).rejects.toEqual(failing('connection'));
    }
    const { http, url } = calling({ port: 1 } as TestServer);
    await expect(http.request({ method: 'GET', url })).rejects.toEqual(failing('connection'));
  });

  test('that sends nothing, or one byte at a time, is abandoned at the deadline', async () => {
    const drip = (head: string) => (socket: import('node:net').Socket) => {
      socket.write(head);
      const timer = setInterval(() => head !== '' && socket.write('a'), 50);
      socket.on('close', () => clearInterval(timer)).resume();
    };
    for (const head of ['', 'HTTP/1.1 200 OK\r\nx-slow: ', 'HTTP/1.1 200 OK\r\n\r\n']) {
      const server = started(await serveTcp(drip(head)));
      const { http, url } = calling(server);
      await expect(http.request({ method: 'GET', url, timeoutMs: 300 })).rejects.toEqual(failing('timeout'));
    }
  });

  test('with a response of 100 MiB is read up to the limit, with or without a content length', async () => {
    for (const length of ['content-length: 104857600\r\n', '']) {
      let sent = 0;
      const server = started(
        await serveTcp((socket) => {
          socket.resume().write(`HTTP/1.1 200 OK\r\n${length}\r\n`);
          const chunk = Buffer.alloc(65_536);
          const more = () => {
            while (!socket.destroyed && sent < 104_857_600) {
              sent += chunk.length;
              if (!socket.write(chunk)) return void socket.once('drain', more);
            }
          };
          more();
        }),
      );
      const { http, url } = calling(server);
      const asked = http.request({ method: 'GET', url, maxResponseBytes: 1_000 });
      await expect(asked).rejects.toEqual(expect.objectContaining({ category: 'too_large', status: 200 }));
      await expect(http.request({ method: 'GET', url, maxResponseBytes: 1_000 })).rejects.toEqual(
        failing('too_large'),
      );
      expect(server.connections()).toBe(2);
      expect(sent).toBeLessThan(20_000_000);
    }
  });

  test('with a body exactly at the limit is read, and with headers above the limit is refused', async () => {
    const server = started(
      await serveHttp((request, response) => {
        if (request.url === '/headers') response.setHeader('x-large', 'a'.repeat(20_000));
        response.end('a'.repeat(1_000));
      }),
    );
    const { http, url } = calling(server);
    const { body } = await http.request({ method: 'GET', url, maxResponseBytes: 1_000 });
    expect(body).toHaveLength(1_000);
    await expect(http.request({ method: 'GET', url, maxResponseBytes: 999 })).rejects.toEqual(
      failing('too_large'),
    );
    await expect(http.request({ method: 'GET', url: `${url}/headers` })).rejects.toEqual(
      failing('too_large'),
    );
  });
});

describe('bounds', () => {
  test('a request is aborted by its signal, before and during the request', async () => {
    const server = started(await serveTcp((socket) => socket.resume()));
    const { http, url } = calling(server);
    const controller = new AbortController();
    const asked = http.request({ method: 'GET', url, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(asked).rejects.toEqual(failing('cancelled'));
    await expect(http.request({ method: 'GET', url, signal: controller.signal })).rejects.toEqual(
      failing('cancelled'),
    );
  });

  test('one origin may use a fixed number of connections and requests without blocking other origins', async () => {
    const [slow, quick] = [
      started(await serveTcp((socket) => socket.resume())),
      started(await serveHttp((_, response) => response.end())),
    ];
    const urls = [slow, quick].map(({ port }) => `http://127.0.0.1:${port}`);
    const http = guarded({ devOrigins: urls, socketsPerOrigin: 2, requestsPerOrigin: 5 });
    const asked = Array.from({ length: 6 }, () =>
      http.request({ method: 'GET', url: urls[0]!, timeoutMs: 300 }),
    );
    const ended = Promise.allSettled(asked);
    expect((await http.request({ method: 'GET', url: urls[1]! })).status).toBe(200);
    const categories = (await ended).map((result) => (result as PromiseRejectedResult).reason.category);
    expect(categories).toEqual([...Array(5).fill('timeout'), 'connection']);
    expect(slow.connections()).toBeLessThanOrEqual(4);
  });

  test('the least recently used origin is evicted, but never one in use', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => serveHttp((_, response) => response.end())));
    servers.forEach(started);
    const urls = servers.map(({ port }) => `http://127.0.0.1:${port}`);
    const http = guarded({ devOrigins: urls, maxOrigins: 2 });
    for (const index of [0, 1, 0, 2, 0, 1]) {
      expect((await http.request({ method: 'GET', url: urls[index]! })).status).toBe(200);
    }
    expect(servers.map((server) => server.connections())).toEqual([1, 2, 1]);
    const busy = guarded({ devOrigins: urls, maxOrigins: 1 });
    const first = busy.request({ method: 'GET', url: urls[0]! });
    await expect(busy.request({ method: 'GET', url: urls[1]! })).rejects.toThrow('too many hosts');
    expect((await first).status).toBe(200);
  });

  test('an unresponsive origin loses its connection, and a responsive one keeps it', async () => {
    const [one, other] = [
      started(await serveHttp((_, response) => response.end())),
      started(await serveHttp((_, response) => response.end())),
    ];
    const dead = started(await serveTcp((socket) => socket.destroy()));
    const [first, second, gone] = [one, other, dead].map(({ port }) => `http://127.0.0.1:${port}`);
    const http = guarded({ devOrigins: [first!, second!, gone!], maxOrigins: 2 });
    const ask = async (url: string) => (await http.request({ method: 'GET', url })).status;
    expect(await ask(first!)).toBe(200);
    await expect(ask(gone!)).rejects.toEqual(failing('connection'));
    expect([await ask(second!), await ask(first!)]).toEqual([200, 200]);
    expect(one.connections()).toBe(1);
  });

  test('close aborts requests in flight', async () => {
    const server = started(await serveTcp((socket) => socket.resume()));
    const { http, url } = calling(server);
    const asked = expect(http.request({ method: 'GET', url })).rejects.toEqual(failing('connection'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await http.close();
    await asked;
  });
});
