import { sdkModule } from './sdk.ts';

// `npm run gen` writes it into packages/sdk.
process.stdout.write(sdkModule());
