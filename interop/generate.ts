import { writeFileSync } from 'node:fs';
import { buildVectors } from './src/vectors.ts';

// Regenerates our vectors: npm run vectors
for (const [name, text] of Object.entries(buildVectors())) {
  writeFileSync(new URL(`vectors/${name}`, import.meta.url), text);
}
