import { openCodePackage } from '../opencode/package.ts';
import { testOwnPackage } from '../scenarios/own-package.ts';
import { kilo } from './client.ts';

testOwnPackage(kilo, { ...openCodePackage('kilo', '@kilocode/plugin'), brief: true });
