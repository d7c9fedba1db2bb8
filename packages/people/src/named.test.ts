import { expect, test } from '@jest/globals';
import { readNamed } from './named.ts';

const homeNames = { ownHome: 'hearth.example', devHomes: [] };

test.each([
  ['per_0190', { by: 'id', id: 'per_0190' }],
  ['shp_0190', { by: 'id', id: 'shp_0190' }],
  ['@Ada', { by: 'address', kind: 'person', address: '@ada', home: null }],
  ['ada@hearth.example', { by: 'address', kind: 'person', address: '@ada', home: null }],
  ['@ada.ai-robin', { by: 'address', kind: 'ai', address: '@ada.ai-robin', home: null }],
  ['&club', { by: 'address', kind: 'group', address: '&club', home: null }],
  ['ada@far.example', { by: 'email', email: 'ada@far.example' }],
  ['@ada@far.example', { by: 'address', kind: 'person', address: 'ada@far.example', home: 'far.example' }],
  [
    'ada.ai-robin@far.example',
    { by: 'address', kind: 'ai', address: 'ada.ai-robin@far.example', home: 'far.example' },
  ],
  ['a.b+c@far.example', { by: 'email', email: 'a.b+c@far.example' }],
  ['', null],
  ['nothing', null],
])('%s', (text, named) => {
  expect(readNamed(text, homeNames)).toEqual(named);
});
