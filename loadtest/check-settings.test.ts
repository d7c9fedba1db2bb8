import { expect, test } from '@jest/globals';
import { mistakesIn } from './check-settings.mjs';

test('settings that are right are no mistake', () => {
  expect(mistakesIn('held-polls', { HOLDERS: '10', BASE_URL: 'http://localhost:8081' }, {})).toEqual([]);
  expect(mistakesIn('federation', { TOPOLOGY: 'one' }, {})).toEqual([]);
  expect(mistakesIn('asks', {}, { OPERATOR_KEY: 'k' })).toEqual([]);
});

test('every mistake is told at once, in words', () => {
  expect(mistakesIn('held-polls', { SECOND: '5', HOLDERS: 'x', RATE: '-1' }, {})).toEqual([
    expect.stringMatching(/^SECOND is no setting of a load test; there are TOPOLOGY, /),
    'HOLDERS is "x"; expected a whole number above 0',
    'RATE is "-1"; expected a whole number above 0',
  ]);
  expect(mistakesIn('soak', {}, { SECONDS: '0' })).toHaveLength(1);
});

test('a scenario does not measure another thing for want of a setting', () => {
  expect(mistakesIn('federation', { BASE_URL: 'http://localhost:8081' }, {})).toEqual([
    'OTHER_URL is missing: federation needs it beside BASE_URL; or give TOPOLOGY=one',
  ]);
  expect(mistakesIn('asks', {}, {})).toHaveLength(1);
});
