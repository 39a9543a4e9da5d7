import gemini from '../../../src/agents/gemini/client.ts';
import { testOwnInstall } from '../scenarios/own-install.ts';

// It asks whether the folder that the extension comes from is trusted (0.61.0).
testOwnInstall(gemini, {
  commands: [['extensions', 'install', 'ROOT/plugins/gemini', '--consent']],
  answers: 'y\n',
});
