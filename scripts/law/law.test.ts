import { describe, expect, test } from '@jest/globals';
import { lateralBreaches } from './lateral.ts';
import { breachesOf } from './law.ts';
import { roomsOf } from './rooms.ts';
import { treeOf } from './tree.ts';

const post = 'services/post/src';

/** A repository that follows the law: `letters` imports `stamps`, the gateway has no tables. */
const sound: Record<string, string> = {
  'packages/db/src/index.ts': "import '@hearth/errors';",
  'services/home/src/main.ts': "import { post } from '@hearth/post';",
  'services/post/package.json': '{"modules": {"stamps": [], "letters": ["stamps"]}}',
  'services/post/migrations/0001-start.sql': '',
  'services/post/test/letters.test.ts': "import '../src/letters/db/letters.ts';",
  [`${post}/main.ts`]: "import { run } from '@hearth/runtime';\nimport { post } from './service.ts';",
  [`${post}/service.ts`]: "import { start } from './letters/module.ts';\nimport '@hearth/runtime';",
  [`${post}/letters/README.md`]: '# Letters',
  [`${post}/letters/module.ts`]:
    "import './consumers/on-stamp-sold.ts';\nimport './jobs/burn.ts';\nimport '../stamps/module.ts';",
  [`${post}/letters/context.ts`]: "import type { Letter } from './db/letters.ts';",
  [`${post}/letters/rpc/send-letter.ts`]:
    "import '../db/letters.ts';\nimport '../domain/weigh.ts';\nimport '../actions/seal.ts';\nimport '../context.ts';\nimport '../../shared/db/rows.ts';",
  [`${post}/letters/consumers/on-stamp-sold.ts`]: "import { seal } from '../actions/seal.ts';",
  [`${post}/letters/jobs/burn.ts`]: "import { letters } from '../db/letters.ts';",
  [`${post}/letters/actions/seal.ts`]: "import './fold.ts';\nimport '../../stamps/module.ts';",
  [`${post}/letters/actions/fold.ts`]: "import '../domain/weigh.ts';",
  [`${post}/letters/domain/weigh.ts`]:
    "import { badField } from '@hearth/errors';\nimport type { Clock } from '@hearth/clock';\nimport type { Letter } from '../db/letters.ts';",
  [`${post}/letters/db/letters.ts`]:
    "import type { Weight } from '../domain/weigh.ts';\nimport '@hearth/db';",
  [`${post}/letters/db/letters.test.ts`]: "import '../rpc/send-letter.ts';",
  [`${post}/stamps/README.md`]: '# Stamps',
  [`${post}/stamps/module.ts`]: "export { price } from './domain/price.ts';",
  [`${post}/stamps/domain/price.ts`]: "import '../../shared/domain/money.ts';",
  [`${post}/shared/domain/money.ts`]: 'export const cent = 1;',
  [`${post}/shared/db/rows.ts`]: "import type { Money } from '../money.ts';",
  [`${post}/shared/money.ts`]: 'export interface Money {}',
  'services/gateway/package.json': '{"modules": {"http": [], "pages": ["http"]}}',
  'services/gateway/src/main.ts': "import './service.ts';",
  'services/gateway/src/service.ts': "import './pages/module.ts';",
  'services/gateway/src/http/module.ts': "import './etag.ts';",
  'services/gateway/src/http/etag.ts': '',
  'services/gateway/src/pages/module.ts': "import './views/inbox.ts';",
  'services/gateway/src/pages/views/inbox.ts': "import '../../http/module.ts';",
};

/** The breaches in that repository after these changes; null removes a file. */
function broken(changes: Record<string, string | null>): string[] {
  const texts = new Map(Object.entries(sound));
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) texts.delete(path);
    else texts.set(path, text);
  }
  return breachesOf(treeOf(texts)).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

test('every file of the project obeys the law', () => {
  expect(broken({})).toEqual([]);
  expect(broken({ 'interop/src/judge.ts': "import '@hearth/post/letters/weigh';" })).toEqual([]);
});

/** An additional line or file, and the breach that the law reports. */
const refused: [path: string, text: string, says: string][] = [
  [`${post}/helpers.ts`, '', 'lies loose'],
  [`${post}/letters/helpers.ts`, '', 'has no place in a module'],
  [`${post}/letters/events/sent.ts`, '', 'has no place in a module'],
  [`${post}/shared/jobs/sweep.ts`, '', 'is no folder of shared/'],
  [`${post}/letters/rpc/index.ts`, '', 'is no file of one rpc'],
  [`${post}/letters/rpc/send/send-letter.ts`, '', 'is no file of one rpc'],
  [`${post}/shared/money.ts`, 'export const cent = 1;', 'holds types alone'],
  [`${post}/main.ts`, "import './letters/module.ts';", 'main.ts starts the service and does nothing else'],
  [
    `${post}/service.ts`,
    "import './letters/actions/seal.ts';",
    'service.ts imports the module.ts of each module',
  ],
  [`${post}/service.ts`, "import './shared/db/rows.ts';", 'service.ts imports the module.ts of each module'],
  [`${post}/letters/module.ts`, "import './rpc/send-letter.ts';", 'Nothing imports rpc/'],
  [`${post}/letters/module.ts`, "import '../service.ts';", 'nothing below imports them'],
  [`${post}/letters/rpc/send-letter.ts`, "import '../module.ts';", 'nothing below imports them'],
  [`${post}/letters/rpc/send-letter.ts`, "import './list-letters.ts';", 'Nothing imports rpc/'],
  [
    `${post}/letters/rpc/send-letter.ts`,
    "import type { A } from './list-letters.ts';",
    'Nothing imports rpc/',
  ],
  [`${post}/letters/rpc/send-letter.ts`, "import '../jobs/burn.ts';", 'rpc import neither each other'],
  [`${post}/letters/rpc/send-letter.ts`, "import '../consumers/on-stamp-sold.ts';", 'rpc import neither'],
  [`${post}/letters/jobs/burn.ts`, "import './sweep.ts';", 'jobs import neither each other'],
  [`${post}/letters/consumers/on-stamp-sold.ts`, "import './on-stamp-lost.ts';", 'consumers import neither'],
  [
    `${post}/letters/actions/seal.ts`,
    "import '../jobs/burn.ts';",
    'only module.ts imports consumers and jobs',
  ],
  [
    `${post}/letters/actions/seal.ts`,
    "import type { A } from '../rpc/send-letter.ts';",
    'Nothing imports rpc/',
  ],
  [`${post}/letters/domain/weigh.ts`, "import '../db/letters.ts';", 'domain is rules as pure functions'],
  [`${post}/letters/domain/weigh.ts`, "import '../actions/seal.ts';", 'domain is rules as pure functions'],
  [`${post}/letters/domain/weigh.ts`, "import type { Context } from '../context.ts';", 'domain is rules'],
  [
    `${post}/letters/domain/weigh.ts`,
    "import { db } from '@hearth/db';",
    'domain is rules as pure functions',
  ],
  [`${post}/letters/domain/weigh.ts`, "import { readFileSync } from 'node:fs';", 'domain is rules'],
  [
    `${post}/letters/domain/weigh.ts`,
    "import '../../shared/db/rows.ts';",
    'domain is rules as pure functions',
  ],
  [
    `${post}/letters/domain/weigh.ts`,
    "import '../../stamps/module.ts';",
    'domain is rules as pure functions',
  ],
  [`${post}/letters/db/letters.ts`, "import '../domain/weigh.ts';", 'db imports db and packages alone'],
  [`${post}/letters/db/letters.ts`, "import '../actions/seal.ts';", 'db imports db and packages alone'],
  [
    `${post}/letters/db/letters.ts`,
    "import '../../shared/domain/money.ts';",
    'db imports db and packages alone',
  ],
  [`${post}/letters/context.ts`, "import { seal } from './actions/seal.ts';", 'context.ts holds a type'],
  [
    `${post}/shared/domain/money.ts`,
    "import '../../letters/module.ts';",
    'shared is what several modules use',
  ],
  [`${post}/shared/domain/money.ts`, "import '../db/rows.ts';", 'domain is rules as pure functions'],
  [
    `${post}/letters/actions/seal.ts`,
    "import '../../stamps/domain/price.ts';",
    'imported by its module.ts alone',
  ],
  [
    `${post}/letters/actions/seal.ts`,
    "import type { A } from '../../stamps/context.ts';",
    'by its module.ts alone',
  ],
  [`${post}/stamps/actions/sell.ts`, "import '../../letters/module.ts';", 'does not list for stamps'],
  ['services/gateway/src/http/etag.ts', "import '../pages/module.ts';", 'does not list for http'],
  ['services/gateway/src/pages/views/inbox.ts', "import '../../http/etag.ts';", 'by its module.ts alone'],
  ['services/gateway/src/helpers.ts', '', 'lies loose'],
  ['services/gateway/src/pages/domain/sort.ts', "import 'express';", 'domain is rules as pure functions'],
  ['services/gateway/src/pages/rpc/show.ts', "export * from './list.ts';", 'Nothing imports rpc/'],
  ['packages/db/src/index.ts', "import '@hearth/post';", 'Only services/home imports services'],
  ['interop/src/judge.ts', "import '@hearth/post';", 'Only services/home imports services'],
  ['packages/db/src/index.ts', "import '@hearth/post/letters/weigh';", 'Only services/home imports services'],
  ['packages/db/src/index.ts', "import '@hearth/home';", 'No library and no service imports the whole home'],
  [
    'packages/db/src/index.ts',
    "await import('../../bus/src/index.ts');",
    'Import another workspace by its name',
  ],
  [`${post}/letters/db/letters.test.ts`, "import '@hearth/gateway';", 'Only services/home imports services'],
];

describe('the law', () => {
  test.each(refused)('refuses in %s: %s', (path, text, says) => {
    const before = sound[path];
    const found = broken({ [path]: before === undefined ? text : `${before}\n${text}` });
    const there = found.filter((breach) => path.startsWith(breach.slice(0, breach.indexOf(':'))));
    expect(there.join('\n')).toContain(says);
  });

  test.each(['module.ts', 'context.ts', 'README.md'])('refuses a module without %s', (file) => {
    expect(broken({ [`${post}/letters/${file}`]: null }).join()).toContain(
      `${post}/letters:1 has no ${file}`,
    );
  });

  test('needs no context.ts in a module of pure rules, but the other files there too', () => {
    expect(broken({ [`${post}/stamps/actions/sell.ts`]: '' })).toHaveLength(1);
    expect(broken({ [`${post}/stamps/README.md`]: null }).join()).toContain('has no README.md');
  });

  test('allows a gateway without context.ts and README.md, and refuses it without module.ts', () => {
    expect(broken({ 'services/gateway/src/http/module.ts': null }).join()).toContain(
      'http:1 has no module.ts',
    );
  });

  test.each([
    ['{"stamps": []}', '"modules" does not list letters'],
    ['{"stamps": [], "letters": ["stamps"], "parcels": []}', 'lists parcels, which is no module'],
    ['{"stamps": [], "letters": ["stamps", "parcels"]}', 'lets letters import parcels, which is no module'],
    ['{"stamps": ["letters"], "letters": ["stamps"]}', 'lets stamps import letters, which it does not'],
    ['{"stamps": ["letters"], "letters": ["stamps"]}', 'goes in a circle: stamps -> letters -> stamps'],
    [
      '{"stamps": [], "letters": []}',
      'imports the module stamps, which services/post/package.json does not list',
    ],
  ])('refuses the list of modules %s', (modules, says) => {
    expect(broken({ 'services/post/package.json': `{"modules": ${modules}}` }).join('\n')).toContain(says);
  });
});

test('rooms and arrows are counted, and cycles between rooms are reported', () => {
  const texts = new Map(
    Object.entries({ ...sound, [`${post}/stamps/actions/a.ts`]: "import '../../letters/module.ts';" }),
  );
  const all = roomsOf(treeOf(texts));
  expect(all.find(({ service }) => service === 'gateway')).toMatchObject({
    rooms: 4,
    arrows: 3,
    circles: [],
  });
  expect(all.find(({ service }) => service === 'post')).toMatchObject({
    rooms: 5,
    // main -> service -> letters -> stamps -> shared, letters -> shared, and stamps -> letters
    arrows: 6,
    circles: [['letters', 'stamps']],
  });
});

describe('calls in both directions', () => {
  const calls = {
    'services/post/src/service.ts': "host.peer('bank', BankService);",
    'services/bank/src/service.ts': "host.peer('post', PostService);\nhost.peer('mint', MintService);",
    'services/mint/src/service.ts': "// host.peer('bank', BankService)",
  };
  const said = (document: string) =>
    lateralBreaches(treeOf(new Map(Object.entries({ ...calls, 'ARCHITECTURE.md': document })))).map(
      ({ path, line, message }) => `${path}:${line} ${message}`,
    );
  const head = '# A\n## Lateral calls\n| Services | Why |\n|---|---|\n';

  test('are not checked while ARCHITECTURE.md has no such table', () => {
    expect(said('# Architecture')).toEqual([]);
  });

  test('are in the table, each pair with a reason', () => {
    expect(
      said(`${head}| \`post\` and \`bank\` | stamps are paid for |\n## Next\n| \`bank\`, \`mint\` | |`),
    ).toEqual([]);
    expect(said(`${head}| bank, post | post asks the mint and the bank | stamps are paid for |`)).toEqual([]);
    expect(said('## Lateral calls')).toEqual([
      expect.stringMatching(/ARCHITECTURE\.md:1 .* does not name bank and post.*bank\/src\/service\.ts:1/),
    ]);
    expect(said(`${head}| bank, post | |`)).toEqual([
      expect.stringContaining('md:5 gives no reason why bank and post'),
    ]);
    expect(said(`${head}| bank | post | money |\n| bank | mint | coins |`)).toEqual([
      expect.stringContaining('md:6 names bank and mint, which do not call each other both ways'),
    ]);
  });
});
