import { describe, expect, test } from '@jest/globals';
import { accountOf } from './account.ts';

const users = `root:x:0:0::/root:/bin/sh
nobody:*:-2:-2::/:/usr/bin/false
hearth-old:x:7:7::/:/bin/false
hearth:x:998:997::/:/bin/false
`;

describe('the account of Postgres when root runs the home', () => {
  test.each([
    ['hearth', users, { uid: 998, gid: 997 }],
    ['nobody', users, { uid: 4_294_967_294, gid: 4_294_967_294 }],
    ['hearth', users.replace('\nhearth:', '\nx:'), undefined],
    ['hearth', 'hearth:x:0:0::/:/bin/sh', undefined],
  ])('%s', (name, text, account) => {
    expect(accountOf(name, text)).toEqual(account);
  });
});
