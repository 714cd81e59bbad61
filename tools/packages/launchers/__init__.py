"""seqreg: complete or explained access to a Sequence Registry, in the Deno that is installed with it."""
