/** What `skein demo` says before it starts. */
export const demoWelcome = `Skein demo: a scripted agent works on a small project in a temporary folder.
It needs no key and no network. Watch it read, edit, run the tests, break one and repair it;
then undo and redo its turns, files and conversation together.`;
