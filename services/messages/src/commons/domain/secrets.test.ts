import { expect, test } from '@jest/globals';
import { refuseSecrets } from './secrets.ts';

const refusal = (text: string) => {
  try {
    refuseSecrets({ text });
    return null;
  } catch (error) {
    return (error as { details: object }).details;
  }
};
const some = (length: number) => 'aB3'.repeat(length).slice(0, length);

// Assembled here, so that secret scanners do not take them for keys.
test.each([
  `hearth_${'ai'}_${some(43)}`,
  `my key begins with HEARTH_${'APP'}_`,
  `hearth_\u200bai_${some(43)}`,
  `ｈearth_${'ai'}_${some(43)}`,
  `wh${'sec'}_${some(32)}`,
  `sk-${'ant'}-api03-${some(40)}`,
  `sk-${'proj'}-${some(40)}`,
  `gh${'p'}_${some(36)}`,
  `github${'_pat'}_${some(40)}`,
  `gl${'pat'}-${some(20)}`,
  `AK${'IA'}IOSFODNN7EXAMPLE`,
  `AI${'za'}${some(35)}`,
  `xo${'xb'}-${some(20)}`,
  `sk_${'live'}_${some(24)}`,
  `npm${'_'}${some(36)}`,
  `hf${'_'}${some(34)}`,
  `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
  `ey${'J'}${some(20)}.eyJ${some(20)}.${some(20)}`,
  `postgres://ada:${'geheim'}@db.example/x`,
])('a key is refused: %s', (text) => {
  expect(refusal(`here it is: ${text} ok?`)).toEqual({ code: 'secret_in_text', field: 'text' });
});

test.each([
  'I ask for a sketch of a risk-free hearth, see https://example.com/a:b@c and ada@hearth.example',
  'sk-8 and ghp_short, npm_config_cache, AKIA is a prefix',
  'meet at 12:30, order 12345678:90',
])('plain words are accepted: %s', (text) => {
  expect(refusal(text)).toBeNull();
});
