// make-secrets --secret <name> --instance <release> [--api <url>] [--account <folder>]
//
// Creates a home's secrets in Kubernetes, once. Never changes an existing Secret, whatever it contains: a seal key that changed
// by accident would make everything sealed with it unreadable. Needs only the right to create Secrets.
import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const address = host?.includes(':') ? `[${host}]` : host;
const { values } = parseArgs({
  options: {
    secret: { type: 'string' },
    instance: { type: 'string' },
    api: { type: 'string', default: `https://${address}:${port}` },
    account: { type: 'string', default: '/var/run/secrets/kubernetes.io/serviceaccount' },
  },
});
const read = (name) => readFileSync(join(values.account, name), 'utf8').trim();
const random = (encoding) => randomBytes(32).toString(encoding);

// The recovery key's private half stays in the Secret, where no pod reads it, until the operator removes it.
const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const kid = hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');

const namespace = read('namespace');
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: values.secret,
    labels: {
      'app.kubernetes.io/name': 'hearth',
      'app.kubernetes.io/instance': values.instance,
      'app.kubernetes.io/managed-by': 'make-secrets',
    },
  },
  stringData: {
    HEARTH_PEER_SECRET: random('hex'),
    HEARTH_SEAL_KEY: random('base64url'),
    HEARTH_OPERATOR_KEY: `hearth_op_${random('hex')}`,
    POSTGRES_PASSWORD: random('hex'),
    NATS_PASSWORD: random('hex'),
    REDIS_PASSWORD: random('hex'),
    HEARTH_RECOVERY_KEY: x,
    'recovery.key': `${JSON.stringify({ kid, kty: 'OKP', crv: 'Ed25519', x, d })}\n`,
  },
};

try {
  const answer = await fetch(`${values.api}/api/v1/namespaces/${namespace}/secrets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${read('token')}`, 'content-type': 'application/json' },
    body: JSON.stringify(secret),
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.status === 201)
    console.log(`the Secret ${values.secret} is made: keep a copy of it apart from the database`);
  else if (answer.status === 409) console.log(`the Secret ${values.secret} is there and stays as it is`);
  else throw new Error(`the API answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
} catch (error) {
  console.error(`the Secret ${values.secret} could not be made: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
