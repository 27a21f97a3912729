"""Search providers behind one seam: what to ask, and what an answer says. Values only; who asks does the talking."""
