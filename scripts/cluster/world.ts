// Stands for the way from the world to the homes: https under their names, as an ingress ends it, and on to the Services of their gateways.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { run } from '../tools/run.mjs';
import { homes } from './homes.ts';
import { kubeconfig, state } from './settings.ts';
import { worldAddress } from './system.ts';

const pki = (file: string) => readFileSync(join(state, 'pki', file));
const addresses = new Map<string, string>();

/** The address of the Service, asked for once it is there. */
function addressOf(host: string): string {
  const home = homes.find(({ name }) => name === host.replace(/:.*/, ''));
  if (home === undefined) throw new Error(`${host} is none of the homes`);
  const of = ['-n', home.release, 'get', 'service', `${home.release}-hearth-gateway`];
  const found =
    addresses.get(home.name) ??
    run('kubectl', ['--kubeconfig', kubeconfig('admin'), ...of, '-o', 'jsonpath={.spec.clusterIP}']);
  addresses.set(home.name, found);
  return found;
}

const server = createServer({ key: pki('world.key'), cert: pki('world.crt') }, (incoming, answer) => {
  const fail = (error: Error) => {
    if (!answer.headersSent) answer.writeHead(502);
    answer.end(error.message);
  };
  try {
    const { method, url, headers, socket } = incoming;
    const from = socket.remoteAddress ?? '';
    const options = { host: addressOf(headers.host ?? ''), port: 8080, method, path: url };
    const onward = request({ ...options, headers: { ...headers, 'x-forwarded-for': from } }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', fail);
    incoming.pipe(onward);
  } catch (error) {
    fail(error as Error);
  }
});
server.listen(443, worldAddress);
