import kilo from '../../../src/agents/kilo/client.ts';
import { openCodePackage } from '../opencode/package.ts';
import { testOwnPackage } from '../scenarios/own-package.ts';

testOwnPackage(kilo, { ...openCodePackage('kilo', '@kilocode/plugin'), brief: true });
