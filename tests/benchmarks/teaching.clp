; The rules of the decision for CLIPS, under the names they have in rulesets/riftbound. Steps follow one another as facts say.

(deftemplate unit (slot id) (slot controller) (slot at) (slot might) (slot damage) (slot exhausted))
(deftemplate battlefield (slot id) (slot controller) (slot contested_by))
(deftemplate player (slot id) (slot points) (slot trash) (slot next))
(deftemplate staged (slot at))
(deftemplate engagement (slot at) (slot focus) (multislot passed) (slot begun))
(deftemplate scored (slot by) (slot at))
(deftemplate move (slot by) (multislot units) (slot to))
(deftemplate pass (slot by))
(deftemplate arrived (slot controller) (slot at))
(deftemplate establish (slot at) (slot by))
(deftemplate score (slot by) (slot at))
(deftemplate gain-point (slot player))
(deftemplate step (slot name))
(deftemplate follows (slot step) (slot next))

(defglobal ?*fired* = (create$) ?*victory* = 8)
(deffunction fires (?rule) (bind ?*fired* ?*fired* ?rule) (assert (changed)))

(deffacts order
  (follows (step declare) (next win-check)) (follows (step win-check) (next deaths)) (follows (step deaths) (next control-loss))
  (follows (step control-loss) (next stage-showdowns)) (follows (step stage-showdowns) (next contested-removal))
  (follows (step contested-removal) (next begin-showdown)) (follows (step begin-showdown) (next end-of-pass))
  (follows (step opens) (next focus)) (follows (step take-control) (next conquering)) (follows (step conquering) (next mark))
  (follows (step mark) (next point)) (follows (step point) (next gain)) (follows (step gain) (next announce))
  (follows (step announce) (next closes)))

(defrule next-step
  (declare (salience -10))
  ?s <- (step (name ?name)) (follows (step ?name) (next ?next))
  => (modify ?s (name ?next)))

(defrule next-pass
  ?s <- (step (name end-of-pass)) ?c <- (changed)
  => (retract ?c) (modify ?s (name win-check)))

(defrule end-of-cleanup-before-a-showdown
  ?s <- (step (name end-of-pass)) (not (changed)) (engagement (begun FALSE))
  => (modify ?s (name opens)))

(defrule end-of-cleanup
  ?s <- (step (name end-of-pass)) (not (changed)) (not (engagement))
  => (retract ?s))

(defrule begin-declaring
  (declare (salience 20))
  (move)
  => (assert (step (name declare))))

(defrule units-pay-and-move
  (step (name declare)) (move (units $? ?id $?) (to ?to)) ?u <- (unit (id ?id) (controller ?p) (exhausted FALSE))
  => (modify ?u (at ?to) (exhausted TRUE)) (assert (arrived (controller ?p) (at ?to))) (fires units-pay-and-move))

(defrule arrival-contests
  (declare (salience -1))
  ?a <- (arrived (controller ?p) (at ?bf)) ?b <- (battlefield (id ?bf) (contested_by none) (controller ~?p))
  => (modify ?b (contested_by ?p)) (fires arrival-contests))

(defrule arrival-is-heard
  (declare (salience -2))
  ?a <- (arrived)
  => (retract ?a))

(defrule move-ends
  (declare (salience -2))
  (step (name declare)) ?m <- (move)
  => (retract ?m))

(defrule win-with-most-points
  (step (name win-check)) (player (id ?p) (points ?n&:(>= ?n ?*victory*))) (not (player (id ~?p) (points ?o&:(>= ?o ?n))))
  => (assert (outcome ?p)) (fires win-with-most-points) (halt))

(defrule lethal-damage-kills
  (step (name deaths)) ?u <- (unit (controller ?p) (might ?m) (damage ?d&:(>= ?d (max 1 ?m)))) ?o <- (player (id ?p) (trash ?t))
  => (retract ?u) (modify ?o (trash (+ ?t 1))) (fires lethal-damage-kills))

(defrule control-lost-without-units
  (step (name control-loss)) ?b <- (battlefield (id ?bf) (controller ?p&~none))
  (not (unit (at ?bf) (controller ?p))) (not (engagement (at ?bf)))
  => (modify ?b (controller none)) (fires control-lost-without-units))

(defrule contested-stages-a-showdown
  (step (name stage-showdowns)) (battlefield (id ?bf) (contested_by ?p&~none))
  (exists (unit (at ?bf) (controller ?p))) (not (engagement (at ?bf))) (not (staged (at ?bf)))
  => (assert (staged (at ?bf))) (fires contested-stages-a-showdown))

(defrule showdown-is-unstaged
  (step (name stage-showdowns)) ?s <- (staged (at ?bf))
  (not (and (battlefield (id ?bf) (contested_by ?p&~none)) (unit (at ?bf) (controller ?p))))
  => (retract ?s) (fires showdown-is-unstaged))

(defrule contested-ends-with-its-applier-gone
  (step (name contested-removal)) ?b <- (battlefield (id ?bf) (contested_by ?p&~none))
  (not (unit (at ?bf) (controller ?p))) (not (engagement (at ?bf)))
  => (modify ?b (contested_by none)) (fires contested-ends-with-its-applier-gone))

(defrule turn-player-opens-a-showdown
  (step (name begin-showdown)) (not (engagement)) (battlefield (id ?bf) (contested_by ?p)) ?s <- (staged (at ?bf))
  => (retract ?s) (assert (engagement (at ?bf) (focus ?p) (begun FALSE))) (fires turn-player-opens-a-showdown))

(defrule a-showdown-opens
  (step (name opens)) ?e <- (engagement (begun FALSE))
  => (modify ?e (begun TRUE)) (fires a-showdown-opens))

(defrule pass-moves-focus
  (step (name focus)) ?r <- (pass (by ?p)) ?e <- (engagement (focus ?p) (passed $?passed)) (player (id ?p) (next ?next))
  => (retract ?r) (modify ?e (passed ?passed ?p) (focus ?next)) (fires pass-moves-focus))

(defrule all-have-passed
  ?s <- (step (name focus)) (engagement (passed $?passed)) (not (player (id ?p&:(not (member$ ?p ?passed)))))
  => (modify ?s (name closes)))

(defrule sole-player-left-establishes-control
  ?s <- (step (name closes)) (engagement (at ?bf)) (player (id ?p)) (battlefield (id ?bf) (controller ~?p))
  (exists (unit (at ?bf) (controller ?p))) (not (unit (at ?bf) (controller ~?p)))
  => (modify ?s (name take-control)) (assert (establish (at ?bf) (by ?p))) (fires sole-player-left-establishes-control))

(defrule a-showdown-closes
  (declare (salience -1))
  ?s <- (step (name closes)) ?e <- (engagement)
  => (retract ?e) (modify ?s (name win-check)) (fires a-showdown-closes))

(defrule control-is-established
  (step (name take-control)) (establish (at ?bf) (by ?p)) ?b <- (battlefield (id ?bf) (controller ~?p))
  => (modify ?b (controller ?p) (contested_by none)) (fires control-is-established))

(defrule conquer
  (step (name conquering)) ?x <- (establish (at ?bf) (by ?p)) (not (scored (by ?p) (at ?bf)))
  => (retract ?x) (assert (score (by ?p) (at ?bf))) (fires conquer))

(defrule a-score-is-recorded
  (step (name mark)) (score (by ?p) (at ?bf)) (not (scored (by ?p) (at ?bf)))
  => (assert (scored (by ?p) (at ?bf))) (fires a-score-is-recorded))

(defrule a-conquer-gains-a-point
  (step (name point)) (score (by ?p)) (player (id ?p) (points ?n&:(< ?n (- ?*victory* 1))))
  => (assert (gain-point (player ?p))) (fires a-conquer-gains-a-point))

(defrule points-are-shared-by-a-team
  (step (name gain)) ?g <- (gain-point (player ?p)) ?q <- (player (id ?p) (points ?n))
  => (retract ?g) (modify ?q (points (+ ?n 1))) (fires points-are-shared-by-a-team) (assert (gained-points)))

(defrule gained-points-are-announced
  (step (name gain)) ?g <- (gained-points)
  => (retract ?g) (fires gained-points-are-announced))

(defrule a-conquer-is-announced
  (step (name announce)) ?s <- (score)
  => (retract ?s) (fires a-conquer-is-announced))
