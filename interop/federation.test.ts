import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as answers from '@hearth/federation/log/answer';
import * as held from '@hearth/federation/log/held-items';
import * as items from '@hearth/federation/log/item';
import * as pushes from '@hearth/federation/log/push';
import * as weighing from '@hearth/federation/log/weigh-item';
import * as objects from '@hearth/home-acts';
import * as requests from '@hearth/http-signatures';
import { describe, expect, test } from '@jest/globals';
import {
  answerAnswer,
  answerConversation,
  answerItem,
  answerPush,
  answerRequest,
  answerState,
  expected,
  expectedAnswers,
  type FederationVectors,
  type Reader,
} from './src/federation-judge.ts';

const reader: Reader = { ...objects, ...requests, ...answers, ...held, ...items, ...pushes, ...weighing };
const read = <Name extends keyof FederationVectors>(name: Name) =>
  JSON.parse(
    readFileSync(new URL(`vectors/federation/${name}.json`, import.meta.url), 'utf8'),
  ) as FederationVectors[Name];

describe('requests.json', () => {
  const file = read('requests');
  test.each(file.cases)('$name: $code', (request) => {
    expect(answerRequest(reader, file, request)).toEqual(expected(request, ['name', 'now', 'request']));
  });
});

describe('items.json', () => {
  const file = read('items');
  test.each(file.cases)('$name: $status $code', (item) => {
    expect(answerItem(reader, file, item)).toEqual(expected(item, ['name', 'item']));
  });
});

describe('states.json', () => {
  test.each(read('states').cases)('$name: $status $path', (vector) => {
    expect(answerState(reader, vector)).toEqual(expected(vector, ['name', 'kind', 'id', 'object']));
  });
});

describe('log.json', () => {
  const { now, pushes: bodies, answers: said } = read('log');
  test.each(bodies)('$name: $code', (vector) => {
    expect(answerPush(reader, now, vector)).toEqual(expected(vector, ['name', 'body', 'body_base64']));
  });
  test.each(said)('$name: $means', (vector) => {
    expect(answerAnswer(reader, vector)).toEqual(expected(vector, ['name', 'push', 'status', 'body']));
  });
});

describe('conversations.json', () => {
  const file = read('conversations');
  test.each(file.cases)('$name', (vector) => {
    expect(answerConversation(reader, file, vector)).toEqual(expectedAnswers(vector));
  });
});

// True where the libraries for a foreign home are installed (interop/python/requirements.txt).
const has = (program: string) =>
  spawnSync(program, ['-c', 'import cryptography, http_message_signatures']).status === 0;
const folder = fileURLToPath(new URL('../.cache/python', import.meta.url));

/** CI installs the libraries from PyPI, where it can be reached. */
function findPython(): string | undefined {
  const kept = `${folder}/bin/python`;
  const found = ['python3', kept].find(has);
  if (found !== undefined || process.env['CI'] === undefined) return found;
  const requirements = fileURLToPath(new URL('python/requirements.txt', import.meta.url));
  const once = ['--quiet', '--disable-pip-version-check', '--retries=0', '--timeout=10'];
  spawnSync('python3', ['-m', 'venv', folder], { timeout: 30_000 });
  spawnSync(kept, ['-m', 'pip', 'install', ...once, '-r', requirements], { timeout: 30_000 });
  return has(kept) ? kept : undefined;
}

const python = findPython();
(python === undefined ? test.skip : test)('a reader in Python answers as the vectors say', () => {
  const judge = fileURLToPath(new URL('python/judge.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync(python!, ['-B', judge], { encoding: 'utf8' });
  expect({ status, stderr, said: stdout.split('\n').at(-2) }).toEqual({
    status: 0,
    stderr: '',
    said: expect.stringMatching(/: 0 answered otherwise than they say$/),
  });
});
