// Stands in for the internet: https under the homes' names, terminated as by an ingress and forwarded to their
// gateways' Services; and from the homes to webhook receivers.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { run } from '../tools/run.mjs';
import { hooks, worldHomes } from './homes.ts';
import { kubeconfig, state } from './settings.ts';
import { worldAddress } from './system.ts';

const pki = (file: string) => readFileSync(join(state, 'pki', file));
const addresses = new Map<string, string>();

/** The destination of requests under that name: a Service's address is looked up once it exists. */
function wayTo(host: string): { host: string; port: number } {
  const name = host.replace(/:.*/, '');
  if (name === hooks.name) return { host: '127.0.0.1', port: hooks.port };
  const home = worldHomes.find((one) => one.name === name);
  if (home === undefined) throw new Error(`${host} is none of the homes`);
  const of = ['-n', home.release, 'get', 'service', `${home.release}-hearth-gateway`];
  const found =
    addresses.get(home.name) ??
    run('kubectl', ['--kubeconfig', kubeconfig('admin'), ...of, '-o', 'jsonpath={.spec.clusterIP}']);
  addresses.set(home.name, found);
  return { host: found, port: 8080 };
}

const server = createServer({ key: pki('world.key'), cert: pki('world.crt') }, (incoming, answer) => {
  const fail = (error: Error) => {
    if (!answer.headersSent) answer.writeHead(502);
    answer.end(error.message);
  };
  try {
    const { method, url, headers, socket } = incoming;
    const from = socket.remoteAddress ?? '';
    const options = { ...wayTo(headers.host ?? ''), method, path: url };
    const onward = request({ ...options, headers: { ...headers, 'x-forwarded-for': from } }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', fail);
    // As proxies do: a disconnected client no longer holds anything at the home.
    answer.on('close', () => answer.writableFinished || onward.destroy());
    incoming.pipe(onward);
  } catch (error) {
    fail(error as Error);
  }
});
server.listen(443, worldAddress);
